import { formatDuration, formatRelative, formatUtc } from './time';

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
