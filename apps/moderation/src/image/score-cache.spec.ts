import { ScoreCache } from './score-cache';

const SAMPLES = ['one', 'two', 'three'].map((text) => Buffer.from(text));
const byLength = async (unknown: Buffer[]): Promise<number[]> => unknown.map(({ length }) => length / 10);

describe('the cache of scores', () => {
  it('asks once for each sample, and gives each its own score in any order', async () => {
    const cache = new ScoreCache();
    const asked: string[] = [];
    const score = (unknown: Buffer[]): Promise<number[]> => {
      asked.push(...unknown.map(String));
      return byLength(unknown);
    };
    expect(await cache.complete([SAMPLES[0] as Buffer], score)).toEqual([0.3]);
    expect(await cache.complete(SAMPLES.toReversed(), score)).toEqual([0.5, 0.3, 0.3]);
    expect(asked).toEqual(['one', 'three', 'two']);
  });

  it('asks for known samples anew where that is wanted, and keeps what it is told', async () => {
    const cache = new ScoreCache();
    await cache.complete(SAMPLES, byLength);
    expect(await cache.renew(SAMPLES, async () => [0.7, 0.8, 0.9])).toEqual([0.7, 0.8, 0.9]);
    expect(await cache.complete(SAMPLES, byLength)).toEqual([0.7, 0.8, 0.9]);
  });

  it('asks again once it is cleared, and keeps nothing of a failure', async () => {
    const cache = new ScoreCache();
    await cache.complete(SAMPLES, byLength);
    cache.clear();
    const failing = (): Promise<number[]> => Promise.reject(new Error('out of order'));
    await expect(cache.complete(SAMPLES, failing)).rejects.toThrow('out of order');
    expect(await cache.complete(SAMPLES, async () => [1, 1, 1])).toEqual([1, 1, 1]);
  });

  it('forgets the sample that was seen the longest time ago', async () => {
    const cache = new ScoreCache();
    const many = Array.from({ length: 10_000 }, (_, at) => Buffer.from(String(at)));
    await cache.complete(many, async (unknown) => unknown.map(() => 0.1));
    await cache.complete([many[0] as Buffer, Buffer.from('new')], async () => [0.2]);
    const again = await cache.complete([many[0] as Buffer, many[1] as Buffer], async () => [0.9]);
    expect(again).toEqual([0.1, 0.9]);
  });
});
