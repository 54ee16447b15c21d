import { CreatePriority } from './create-priority';

describe('the priority of creates', () => {
  let createPriority: CreatePriority;
  let isHeldUp: boolean;

  beforeEach(() => {
    jest.useFakeTimers();
    createPriority = new CreatePriority();
  });
  afterEach(() => jest.useRealTimers());

  const pass = (milliseconds: number): Promise<unknown> => jest.advanceTimersByTimeAsync(milliseconds);

  /** Creates that start together and take this long. */
  function create(count: number, tookMs: number): void {
    for (let started = 0; started < count; started++)
      void createPriority.run(() => new Promise((resolve) => setTimeout(resolve, tookMs)));
  }
  function requestYield(): void {
    isHeldUp = true;
    void createPriority.yieldToCreates().then(() => (isHeldUp = false));
  }

  it('does not delay other work for a few creates, however long they take', async () => {
    create(4, 1_000);
    await pass(900);
    requestYield();
    await pass(0);
    expect(isHeldUp).toBe(false);
  });

  it('delays other work during many creates, up to a limit', async () => {
    create(32, 10_000);
    await pass(300);
    requestYield();
    await pass(200);
    expect(isHeldUp).toBe(true);
    await pass(50);
    expect(isHeldUp).toBe(false);
  });

  it('does not take the gap between two batches for the end, and detects the end', async () => {
    for (let set = 0; set < 20; set++) {
      create(24, 15);
      await pass(20);
    }
    requestYield();
    await pass(25);
    expect(isHeldUp).toBe(true);
    await pass(100);
    expect(isHeldUp).toBe(false);
  });
});
