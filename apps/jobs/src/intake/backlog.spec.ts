import { DrainRate } from './backlog';

describe('drain rate', () => {
  function drained(...counts: [atMs: number, waiting: number, stillWaiting: number][]): DrainRate {
    const drain = new DrainRate();
    for (const [at_ms, waiting, still_waiting] of counts)
      drain.add({ at_ms, waiting, still_waiting, sharing: waiting });
    return drain;
  }

  it('estimates when a place is free by the jobs that left, not by those that arrived', () => {
    // 20 left in 10 s, and as many arrived.
    const drain = drained([0, 100, 0], [5_000, 100, 90], [10_000, 100, 90]);
    expect([1, 2, 10, 1_000].map((places) => drain.secondsUntilFree(places))).toEqual([0.5, 1, 5, 500]);
  });

  it('expects no free place if no job leaves, and ignores old counts', () => {
    expect(drained([0, 100, 0], [5_000, 120, 100]).secondsUntilFree(1)).toBe(Infinity);
    expect(drained([0, 100, 0], [1_000, 50, 50], [120_000, 50, 50]).secondsUntilFree(1)).toBe(Infinity);
  });

  it('uses a default at the first count', () => {
    expect(drained([0, 100, 0]).secondsUntilFree(1)).toBe(5);
  });
});
