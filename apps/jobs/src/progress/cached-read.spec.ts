import { CachedRead } from './cached-read';

describe('a cached read', () => {
  it('runs once for all that ask while it runs, however long, and anew when its result is stale', async () => {
    const finish: ((value: number) => void)[] = [];
    const cached = new CachedRead(0, () => new Promise<number>((resolve) => finish.push(resolve)));
    const [first, second] = [cached.get(), cached.get()];
    expect(finish).toHaveLength(1);
    finish[0]?.(1);
    expect(await Promise.all([first, second])).toEqual([1, 1]);
    const third = cached.get();
    finish[1]?.(2);
    expect(await third).toBe(2);
  });

  it('is repeated after a failure, also while its result would be fresh', async () => {
    let reads = 0;
    const cached = new CachedRead(60_000, async () => {
      reads += 1;
      if (reads === 1) throw new Error('away');
      return Promise.resolve(reads);
    });
    await expect(cached.get()).rejects.toThrow('away');
    expect([await cached.get(), await cached.get()]).toEqual([2, 2]);
  });
});
