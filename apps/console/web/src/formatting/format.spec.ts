import {
  axisEnd,
  formatBytes,
  formatDuration,
  formatMoney,
  formatQuantity,
  formatRelative,
  formatUtc,
  parseDollars,
  queryString,
} from './format';

describe('an amount of money', () => {
  it.each([
    [0, '$0.00'],
    [20_000, '$0.02'],
    [5_000, '$0.005'],
    [1, '$0.000001'],
    [1_234_567_890, '$1,234.56789'],
    [9_007_199_254_740_991, '$9,007,199,254.740991'],
    [-2_500_000, '−$2.50'],
  ])('is exact: %i micro-USD', (micros, text) => {
    expect(formatMoney(micros)).toBe(text);
  });

  it('has a sign where it is a change', () => {
    expect([100_000_000, 0, -20_000].map((micros) => formatMoney(micros, { sign: true }))).toEqual([
      '+$100.00',
      '$0.00',
      '−$0.02',
    ]);
  });

  it.each([
    ['25', 25_000_000],
    ['2.50', 2_500_000],
    ['$1,000.000001', 1_000_000_001],
    ['999,999,999', 999_999_999_000_000],
    ['2,50', null],
    ['1,00', null],
    ['1000,000', null],
    ['2.1234567', null],
    ['', null],
    ['-1', null],
    ['1e3', null],
  ])('is read as typed: %p', (text, micros) => {
    expect(parseDollars(text)).toBe(micros);
  });
});

describe('a quantity', () => {
  it('has a unit that fits its size', () => {
    expect([512, 1536, 5_242_880].map(formatBytes)).toEqual(['512 B', '1.5 KiB', '5.0 MiB']);
  });

  it('has the plural of its unit', () => {
    expect([formatQuantity(1, 'image'), formatQuantity(1_200, 'second')]).toEqual(['1 image', '1,200 seconds']);
  });

  it.each([
    [0, 1],
    [0.14, 0.2],
    [180_000, 200_000],
    [230, 250],
    [999, 1_000],
  ])('fits below the end of its axis: %p', (greatest, end) => {
    expect(axisEnd(greatest)).toBeCloseTo(end, 10);
  });
});

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('a time', () => {
  it('is shown in UTC, whatever its offset', () => {
    expect(formatUtc('2026-03-01T15:04:05.678+02:00')).toBe('2026-03-01 13:04:05 UTC');
  });

  it.each([
    ['2026-03-01T11:59:58Z', 'now'],
    ['2026-03-01T11:59:30Z', '30 s ago'],
    ['2026-03-01T11:57:00Z', '3 min ago'],
    ['2026-03-01T14:00:00Z', 'in 2 h'],
    ['2026-02-27T12:00:00Z', '2 d ago'],
    ['2026-01-05T12:00:00Z', '5 Jan 2026'],
  ])('is relative to the present: %s', (at, text) => {
    expect(formatRelative(at, NOW)).toBe(text);
  });

  it.each([
    [840, '840 ms'],
    [999.6, '999 ms'],
    [12_400, '12.4 s'],
    [59_970, '59.9 s'],
    [119_700, '1 min 59 s'],
    [200_000, '3 min 20 s'],
    [7_199_000, '1 h 59 min'],
    [7_500_000, '2 h 5 min'],
  ])('may be a duration: %i ms', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('a query string', () => {
  it('leaves out what is empty, and escapes the rest', () => {
    const params = { status: '', cursor: null, model: undefined, search: 'a&b', limit: 0 };
    expect([queryString(params), queryString({})]).toEqual(['?search=a%26b&limit=0', '']);
  });
});
