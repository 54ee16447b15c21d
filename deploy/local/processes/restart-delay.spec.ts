import { countEarlyCrashes, restartDelayMs } from './supervisor';

describe('restart delay', () => {
  it('is zero for a process that ran well', () => {
    expect(restartDelayMs(countEarlyCrashes(4, 60_000))).toBe(0);
  });

  it('grows while a process fails early, up to a limit', () => {
    const crashes = [1, 2, 3, 4, 5, 6, 60];
    expect(crashes.map(restartDelayMs)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(countEarlyCrashes(2, 100)).toBe(3);
  });
});
