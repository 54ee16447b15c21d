import { RecentSet } from './recent-set';

describe('the set of recently added names', () => {
  it('holds as many as there is room for, and drops the one that was added the longest time ago', () => {
    const names = new RecentSet(3);
    for (const name of ['a', 'b', 'c', 'a', 'd']) names.add(name);
    expect([...names]).toEqual(['c', 'a', 'd']);
    expect(names.has('b')).toBe(false);
  });

  it('is smaller after a name was deleted', () => {
    const names = new RecentSet(2);
    for (const name of ['a', 'b']) names.add(name);
    names.delete('a');
    names.add('c');
    expect([...names]).toEqual(['b', 'c']);
  });
});
