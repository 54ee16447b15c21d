import { RecentSet } from './recent-set';

describe('the names that were added last', () => {
  it('are as many as there is room for, without the one that was not added for the longest time', () => {
    const names = new RecentSet(3);
    for (const name of ['a', 'b', 'c', 'a', 'd']) names.add(name);
    expect([...names]).toEqual(['c', 'a', 'd']);
    expect(names.has('b')).toBe(false);
  });

  it('are fewer after one was deleted', () => {
    const names = new RecentSet(2);
    for (const name of ['a', 'b']) names.add(name);
    names.delete('a');
    names.add('c');
    expect([...names]).toEqual(['b', 'c']);
  });
});
