import fc from 'fast-check';
import { coverPeriod } from './usage-period';

const cover = (from: string, to: string) =>
  JSON.parse(JSON.stringify(coverPeriod({ from: new Date(from), to: new Date(to) }))) as unknown;

describe('the cover of a period', () => {
  it('consists of whole days, the hours and minutes around them, and the parts of minutes at both ends', () => {
    expect(cover('2026-03-01T21:58:30.500Z', '2026-03-04T01:02:00.001Z')).toEqual({
      days: { from: '2026-03-02T00:00:00.000Z', to: '2026-03-04T00:00:00.000Z' },
      hours: [
        { from: '2026-03-01T22:00:00.000Z', to: '2026-03-02T00:00:00.000Z' },
        { from: '2026-03-04T00:00:00.000Z', to: '2026-03-04T01:00:00.000Z' },
      ],
      minutes: [
        { from: '2026-03-01T21:59:00.000Z', to: '2026-03-01T22:00:00.000Z' },
        { from: '2026-03-04T01:00:00.000Z', to: '2026-03-04T01:02:00.000Z' },
      ],
      rest: [
        { from: '2026-03-01T21:58:30.500Z', to: '2026-03-01T21:59:00.000Z' },
        { from: '2026-03-04T01:02:00.000Z', to: '2026-03-04T01:02:00.001Z' },
      ],
    });
  });

  it('equals the period, without gaps or overlaps, for any length and age', () => {
    const instant = fc.integer({ min: -60_000_000_000, max: 400_000_000_000 });
    fc.assert(
      fc.property(
        instant,
        fc.oneof(fc.integer({ min: 1, max: 150_000 }), fc.integer({ min: 1, max: 400_000_000 })),
        (from, length) => {
          const { days, hours, minutes, rest } = coverPeriod({ from: new Date(from), to: new Date(from + length) });
          const parts = [days, ...hours, ...minutes, ...rest]
            .map((span) => [span.from.getTime(), span.to.getTime()] as const)
            .filter(([begin, end]) => begin < end)
            .sort(([one], [other]) => one - other);
          expect(parts[0]?.[0]).toBe(from);
          expect(parts.at(-1)?.[1]).toBe(from + length);
          for (const [index, [begin]] of parts.slice(1).entries()) expect(begin).toBe(parts[index]?.[1]);
          const restMs = rest.reduce((sum, span) => sum + span.to.getTime() - span.from.getTime(), 0);
          expect(restMs).toBeLessThan(120_000);
        },
      ),
    );
  });
});
