import { RecentKeys } from './api-keys';

const FIVE_MINUTES_MS = 5 * 60_000;

describe('recently valid keys', () => {
  it('are remembered for five minutes from their last use', () => {
    const keys = new RecentKeys();
    keys.add('a', 1);
    expect([keys.has('a', 2), keys.has('b', 2)]).toEqual([true, false]);
    keys.add('a', FIVE_MINUTES_MS);
    expect(keys.has('a', 2 * FIVE_MINUTES_MS - 1)).toBe(true);
    expect(keys.has('a', 2 * FIVE_MINUTES_MS)).toBe(false);
  });

  it('are forgotten when they are no longer valid', () => {
    const keys = new RecentKeys();
    keys.add('a', 1);
    keys.delete('a');
    expect(keys.has('a', 1)).toBe(false);
  });

  it('are limited in number: the least recently used is evicted first', () => {
    const keys = new RecentKeys();
    for (const key of ['old', 'used', 'old-too']) keys.add(key, 1);
    keys.add('used', 2);
    for (let other = 0; other < 9_999; other++) keys.add(`${other}`, 3);
    expect(['old', 'old-too', 'used'].map((key) => keys.has(key, 4))).toEqual([false, false, true]);
  });
});
