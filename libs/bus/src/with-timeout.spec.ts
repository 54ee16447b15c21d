import { withTimeout } from './with-timeout';

const never = new Promise<never>(() => undefined);
const LONG_MS = 3_600_000;

/** Number of timers that keep this process alive. */
function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

describe('with timeout', () => {
  it('resolves with the result of the work, and leaves no timer behind', async () => {
    const timers = activeTimers();
    const failure = new Error('the work failed');

    expect(await withTimeout(Promise.resolve('done'), LONG_MS, () => 'late')).toBe('done');
    await expect(withTimeout(Promise.reject(failure), LONG_MS, () => 'late')).rejects.toBe(failure);

    expect(activeTimers()).toBe(timers);
  });

  it('resolves with the fallback once the time is over, also if that is undefined', async () => {
    expect(await withTimeout(never, 1, () => 'late')).toBe('late');
    expect(await withTimeout(never, 0, () => 'late')).toBe('late');
    expect(await withTimeout(never, -1, () => 'late')).toBe('late');
  });

  it('rejects with the thrown error once the time is over', async () => {
    const tooLate = (): never => {
      throw new Error('too late');
    };
    await expect(withTimeout(never, 1, tooLate)).rejects.toThrow('too late');
  });

  it('ignores work that rejects after the timeout', async () => {
    let fail: (reason: Error) => void = () => undefined;
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    expect(await withTimeout(work, 0, () => 'late')).toBe('late');
    // An unhandled rejection would end this run.
    fail(new Error('later'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
