import { Turns } from './turns';

describe('turns', () => {
  it('let so many run at once, and the next when one is done, whether well or badly', async () => {
    const turns = new Turns(2);
    const begun: number[] = [];
    const ends: ((failure?: Error) => void)[] = [];
    const work = (number: number): Promise<void> =>
      turns.run(() => {
        begun.push(number);
        return new Promise((resolve, reject) => ends.push((failure) => (failure ? reject(failure) : resolve())));
      });
    const all = [work(0), work(1), work(2), work(3)];
    expect(begun).toEqual([0, 1]);
    ends[0]?.(new Error('badly'));
    await expect(all[0]).rejects.toThrow('badly');
    expect(begun).toEqual([0, 1, 2]);
    ends[1]?.();
    await all[1];
    expect(begun).toEqual([0, 1, 2, 3]);
  });
});
