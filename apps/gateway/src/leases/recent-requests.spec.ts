import { RecentRequests } from './recent-requests';

describe('recent requests', () => {
  const counted = (...atMs: number[]): RecentRequests => {
    const recent = new RecentRequests();
    for (const nowMs of atMs) recent.count('key', nowMs);
    return recent;
  };

  it('are expected again at the same rate', () => {
    const recent = counted(0, 100, 200, 300);
    expect(recent.expected('key', 300)).toBe(4);
    expect(recent.expected('key', 1_000)).toBe(4);
    expect(recent.expected('key', 1_500)).toBe(2);
  });

  it('are forgotten after a pause', () => {
    expect(counted(0, 100).expected('key', 2_000)).toBe(0);
    expect(counted(0, 100).expected('key', 1_999)).toBe(1);
  });

  it('are counted for each key', () => {
    expect(counted(0, 1).expected('other', 1)).toBe(0);
  });
});
