import { DrainRate } from './drain-rate';

describe('drain', () => {
  function drained(...counts: [atMs: number, waiting: number, stillWaiting: number][]): DrainRate {
    const drain = new DrainRate();
    for (const [at_ms, waiting, still_waiting] of counts) drain.add({ at_ms, waiting, still_waiting });
    return drain;
  }

  it('tells when a place will be free by how many have left, whoever came meanwhile', () => {
    // 20 left in 10 s, and as many came.
    const drain = drained([0, 100, 0], [5_000, 100, 90], [10_000, 100, 90]);
    expect([1, 2, 10, 1_000].map((places) => drain.secondsUntilFree(places))).toEqual([1, 1, 5, 60]);
  });

  it('asks for long patience where nobody leaves, and forgets what was long ago', () => {
    expect(drained([0, 100, 0], [5_000, 120, 100]).secondsUntilFree(1)).toBe(60);
    expect(drained([0, 100, 0], [1_000, 50, 50], [120_000, 50, 50]).secondsUntilFree(1)).toBe(60);
  });

  it('guesses at the first look', () => {
    expect(drained([0, 100, 0]).secondsUntilFree(1)).toBe(5);
  });
});
