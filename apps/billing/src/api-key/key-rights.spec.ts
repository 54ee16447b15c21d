import { coversGift, giveBack, shareOf } from './key-rights';

const day = (cap_micros: number, spent_micros = 0) => ({ cap_micros, spent_micros, period: 'day' as const });
const month = (cap_micros: number, spent_micros = 0) => ({ cap_micros, spent_micros, period: 'month' as const });

describe('a budget that a key gives', () => {
  it('takes its amount of the same period, 31 times it of a month, and has no place in a shorter one', () => {
    expect(shareOf(day(10), 'day')).toBe(10);
    expect(shareOf(month(10), 'month')).toBe(10);
    expect(shareOf(day(10), 'month')).toBe(310);
    expect(shareOf(month(10), 'day')).toBe(Infinity);
  });

  it('is covered by what is left of the period', () => {
    expect(coversGift(day(10, 4), day(6))).toBe(true);
    expect(coversGift(day(10, 4), day(7))).toBe(false);
    expect(coversGift(month(310), day(10))).toBe(true);
    expect(coversGift(month(310, 1), day(10))).toBe(false);
    expect(coversGift(day(Number.MAX_SAFE_INTEGER), month(1))).toBe(false);
  });

  it('leaves neither budget with more than both had, and neither beyond its cap', () => {
    for (const giver of [day(40, 7), month(40, 7)]) {
      const { own, giver: after, endedMicros } = giveBack<typeof giver>(day(60, 25), giver, 10);
      expect(own).toMatchObject({ cap_micros: 15, spent_micros: 15 });
      expect(endedMicros).toBe(after.spent_micros - giver.spent_micros - 10);
      expect(after.spent_micros).toBeLessThanOrEqual(after.cap_micros);
      const left = after.cap_micros - after.spent_micros;
      expect(left).toBe(giver.period === 'day' ? 40 - 7 + 60 - 25 : 40 - 7);
    }
  });
});
