import type { Usage } from '../../api/customer';
import { daysOf, lastDays, listDays, ownPeriod } from './period';

const NOW = new Date('2026-03-01T23:30:00Z');

describe('the days of a period', () => {
  it('are those of UTC, with today', () => {
    expect(lastDays(2, NOW)).toEqual({ from: '2026-02-28T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' });
    expect(listDays(lastDays(3, NOW))).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });

  it.each([
    ['2026-02-28', '2026-03-01', ['2026-02-28', '2026-03-01']],
    ['2026-03-01', '2026-03-01', ['2026-03-01']],
    ['2026-03-02', '2026-03-01', null],
    ['', '2026-03-01', null],
  ])('of an own range are those from %j to %j: %j', (from, to, days) => {
    const period = ownPeriod(from, to);
    expect(period && listDays(period)).toEqual(days);
  });

  it('are all in the chart, also those without jobs', () => {
    const usage = { data: [{ day: '2026-02-28', charged_micros: 5 }] } as Usage;
    expect(daysOf(lastDays(3, NOW), usage)).toEqual([
      { label: '27 Feb', value: 0 },
      { label: '28 Feb', value: 5 },
      { label: '1 Mar', value: 0 },
    ]);
  });
});
