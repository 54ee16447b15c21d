import { ManualClock } from '@kinora/testing';
import { FairSemaphore } from './fair-semaphore';
import { SemaphoreTimeout } from './semaphore';

/** Work that begins when its permit is granted, and ends when the spec decides. */
function controlled(semaphore: FairSemaphore) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (holder: string | undefined, name: string, deadline: AbortSignal | null = null): Promise<void> => {
    const work = () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    };
    return semaphore.run(holder, work, { deadline });
  };
  return { begun, start, end: (name: string) => ends.get(name)?.() };
}

describe('fair semaphore', () => {
  it('leaves half of the permits to others, however many requests one holder has waiting', async () => {
    const { begun, start, end } = controlled(new FairSemaphore(2));
    const first = start('busy', 'busy 1');
    void start('busy', 'busy 2');
    void start('busy', 'busy 3');
    void start('other', 'other 1');
    expect(begun).toEqual(['busy 1', 'other 1']);
    end('busy 1');
    await first;
    expect(begun).toEqual(['busy 1', 'other 1', 'busy 2']);
  });

  it('lets a holder wait behind one request of each other holder at most', async () => {
    const { begun, start, end } = controlled(new FairSemaphore(1));
    const first = start('busy', 'busy 1');
    void start('busy', 'busy 2');
    void start('other', 'other 1');
    end('busy 1');
    await first;
    expect(begun).toEqual(['busy 1', 'other 1']);
  });

  it('limits work without a holder by the total of permits alone', () => {
    const { begun, start } = controlled(new FairSemaphore(2));
    for (const name of ['1', '2', '3']) void start(undefined, name);
    expect(begun).toEqual(['1', '2']);
  });

  it('grants permits again to a holder that had none for a while, and counts the held ones', async () => {
    const semaphore = new FairSemaphore(2);
    const { begun, start, end } = controlled(semaphore);
    const first = start('busy', 'busy 1');
    expect(semaphore.heldPermits).toBe(1);
    end('busy 1');
    await first;
    expect(semaphore.heldPermits).toBe(0);
    void start('busy', 'busy 2');
    void start('busy', 'busy 3');
    expect(begun).toEqual(['busy 1', 'busy 2']);
  });

  it('never begins work whose permit was not granted in time, whichever queue it waited in', async () => {
    const { begun, start, end } = controlled(new FairSemaphore(1));
    const first = start('busy', 'busy 1');
    const clock = new ManualClock();
    const inOwn = start('busy', 'late in its own queue', clock.deadline(5));
    const inShared = start('other', 'late in the shared queue', clock.deadline(5));
    clock.advance(5);
    await expect(inOwn).rejects.toBeInstanceOf(SemaphoreTimeout);
    await expect(inShared).rejects.toBeInstanceOf(SemaphoreTimeout);
    end('busy 1');
    await first;
    void start('other', 'other 1');
    expect(begun).toEqual(['busy 1', 'other 1']);
  });
});
