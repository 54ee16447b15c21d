import { RefusedPosts } from './refused-posts';

const MINUTE_MS = 60_000;

describe('refused posts', () => {
  it('are taken as often as they were refused, each by its own sender', () => {
    const refused = new RefusedPosts();
    refused.add('one', 0);
    refused.add('one', 1);
    expect(refused.take('two', 2)).toBe(false);
    expect([1, 2, 3].map(() => refused.take('one', 2))).toEqual([true, true, false]);
  });

  it('are forgotten a minute after the last one', () => {
    const refused = new RefusedPosts();
    refused.add('one', 0);
    refused.add('one', MINUTE_MS - 1);
    expect(refused.take('one', 2 * MINUTE_MS - 2)).toBe(true);
    expect(refused.take('one', 2 * MINUTE_MS - 1)).toBe(false);
    refused.add('one', 3 * MINUTE_MS);
    expect([1, 2].map(() => refused.take('one', 3 * MINUTE_MS))).toEqual([true, false]);
  });

  it('of the sender that was refused least recently are forgotten for those of another beyond the bound', () => {
    const refused = new RefusedPosts();
    refused.add('kept', 0);
    refused.add('forgotten', 0);
    refused.add('kept', 0);
    for (let number = 0; number < 9_999; number += 1) refused.add(`sender-${number}`, 0);
    expect(['kept', 'forgotten', 'sender-0'].map((sender) => refused.take(sender, 0))).toEqual([true, false, true]);
  });
});
