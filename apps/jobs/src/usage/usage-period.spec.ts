import { readUsagePeriod } from './usage-period';

const NOW = new Date('2026-11-20T09:30:00.123Z');
const DAY_MS = 86_400_000;

const read = (params: { from?: string; to?: string }) => {
  const { from, to, truncated } = readUsagePeriod(params, NOW);
  return [from.toISOString(), to.toISOString(), truncated];
};

const refusal = (param: string) => expect.objectContaining({ code: 'invalid_query', param }) as Error;

describe('usage period', () => {
  it('is the last 30 days by default, or the 30 days before its end', () => {
    expect(read({})).toEqual(['2026-10-21T09:30:00.123Z', '2026-11-20T09:30:00.123Z', false]);
    expect(read({ to: '2026-03-01' })).toEqual(['2026-01-30T00:00:00.000Z', '2026-03-01T00:00:00.000Z', false]);
  });

  it('ends now at the latest, before anything is cut', () => {
    const now = NOW.toISOString();
    expect(read({ to: '2027-11-20' })).toEqual(['2026-10-21T09:30:00.123Z', now, false]);
    expect(read({ from: '2026-01-01', to: '9999-12-31' })).toEqual(['2026-01-01T00:00:00.000Z', now, false]);
    expect(read({ from: '0001-01-01', to: '9999-12-31' })).toEqual(['2025-11-19T09:30:00.123Z', now, true]);
    expect(() => read({ from: '2026-11-21', to: '2026-11-22' })).toThrow(refusal('from'));
  });

  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-19T23:59:59Z', '2026-11-19T23:59:59.000Z'],
    ['2026-11-19t23:59:59.5z', '2026-11-19T23:59:59.500Z'],
    // Without offset or seconds.
    ['2026-11-19T09:00Z', '2026-11-19T09:00:00.000Z'],
    ['2026-11-19T09:00:30', '2026-11-19T09:00:30.000Z'],
    ['2026-11-19T09:00+02:00', '2026-11-19T07:00:00.000Z'],
    ['2026-11-19T00:30:00+02:00', '2026-11-18T22:30:00.000Z'],
    ['2026-11-19T00:30:00.000-05:30', '2026-11-19T06:00:00.000Z'],
    // A query decodes an unescaped plus as a space.
    ['2026-11-19T00:30:00 02:00', '2026-11-18T22:30:00.000Z'],
  ])('begins at %s', (text, instant) => {
    const [from] = read({ from: text, to: new Date(Date.parse(instant) + 1).toISOString() });
    expect(from).toBe(instant);
  });

  it.each([
    ' ',
    '1795165200',
    '2026',
    '2026-11',
    '2026-11-00',
    '2026-13-01',
    '20261119',
    '2026-11-19T09',
    '2026-11-19T09:00:00.',
    '2026-11-19T24:00:00Z',
    '2026-11-19T09:60:00Z',
    '2026-11-19T09:00:00+24:00',
    '2026-11-19T09:00:00+0200',
    '2026-11-19 09:00:00Z',
    ' 2026-11-19',
    '2026-11-19\n',
    '+002026-11-19',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
  ])('cannot start or end with %j', (text) => {
    expect(() => read({ from: text })).toThrow(refusal('from'));
    expect(() => read({ to: text })).toThrow(refusal('to'));
    expect(() => read({ from: text, to: text })).toThrow(refusal('from'));
  });

  it('starts at least a millisecond before its end', () => {
    const to = '2026-11-19T12:00:00.001+02:00';
    expect(read({ from: '2026-11-19T10:00:00Z', to })[2]).toBe(false);
    expect(() => read({ from: '2026-11-19T10:00:00.001Z', to })).toThrow(refusal('from'));
    expect(() => read({ from: '2026-11-20', to })).toThrow(refusal('from'));
    expect(() => read({ from: '2026-11-21' })).toThrow(refusal('from'));
  });

  it('is cut to its newest 366 days, and marked as truncated', () => {
    const longest = new Date(NOW.getTime() - 366 * DAY_MS);
    expect(read({ from: longest.toISOString() })).toEqual([longest.toISOString(), NOW.toISOString(), false]);
    const longer = new Date(longest.getTime() - 1).toISOString();
    expect(read({ from: longer })).toEqual([longest.toISOString(), NOW.toISOString(), true]);
    const all = { from: '0001-01-01', to: '2026-01-01' };
    expect(read(all)).toEqual(['2024-12-31T00:00:00.000Z', '2026-01-01T00:00:00.000Z', true]);
  });
});
