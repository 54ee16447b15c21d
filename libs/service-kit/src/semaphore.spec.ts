import { ManualClock } from '@kinora/testing';
import { Semaphore, SemaphoreTimeout } from './semaphore';

/** Work that begins when its permits are granted, and ends when the spec decides. */
function controlled(semaphore: Semaphore) {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const start = (name: string, permits = 1, deadline: AbortSignal | null = null): Promise<void> =>
    semaphore.run(
      () => {
        begun.push(name);
        return new Promise((resolve, reject) => {
          ends.set(name, (failure) => (failure ? reject(failure) : resolve()));
        });
      },
      { permits, deadline },
    );
  return { begun, start, end: (name: string, failure?: Error) => ends.get(name)?.(failure) };
}

describe('semaphore', () => {
  it('runs a limited number at once, and the next one when one has succeeded or failed', async () => {
    const { begun, start, end } = controlled(new Semaphore(2));
    const all = ['a', 'b', 'c', 'd'].map((name) => start(name));
    expect(begun).toEqual(['a', 'b']);
    end('a', new Error('badly'));
    await expect(all[0]).rejects.toThrow('badly');
    expect(begun).toEqual(['a', 'b', 'c']);
    end('b');
    await all[1];
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('counts permits, and grants nothing ahead of a large request that came first', async () => {
    const { begun, start, end } = controlled(new Semaphore(10));
    const [first, second] = [start('first', 5), start('second', 5)];
    void start('large', 8);
    void start('late', 1);
    end('first');
    await first;
    // The late request would fit, and the large one does not.
    expect(begun).toEqual(['first', 'second']);
    end('second');
    await second;
    expect(begun).toEqual(['first', 'second', 'large', 'late']);
  });

  it('runs a request for more permits than there are once no other permit is held', async () => {
    const semaphore = new Semaphore(10);
    const { begun, start, end } = controlled(semaphore);
    const first = start('first', 1);
    void start('huge', 50);
    expect(begun).toEqual(['first']);
    end('first');
    await first;
    expect(begun).toEqual(['first', 'huge']);
    expect(semaphore.heldPermits).toBe(50);
  });

  it('never begins work whose permits were not granted in time, and continues with the requests behind it', async () => {
    const semaphore = new Semaphore(2);
    const { begun, start, end } = controlled(semaphore);
    const first = start('first');
    const clock = new ManualClock();
    const late = start('late', 2, clock.deadline(1));
    void start('behind', 1);
    clock.advance(1);
    await expect(late).rejects.toBeInstanceOf(SemaphoreTimeout);
    expect(begun).toEqual(['first', 'behind']);
    end('first');
    await first;
    expect(begun).toEqual(['first', 'behind']);
    expect(semaphore.waitingRequests).toBe(0);
  });
});
