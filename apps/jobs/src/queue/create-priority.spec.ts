import { CreatePriority } from './create-priority';

describe('the right of way of accepts', () => {
  let createPriority: CreatePriority;
  let isHeldUp: boolean;

  beforeEach(() => {
    jest.useFakeTimers();
    createPriority = new CreatePriority();
  });
  afterEach(() => jest.useRealTimers());

  const pass = (milliseconds: number): Promise<unknown> => jest.advanceTimersByTimeAsync(milliseconds);

  /** Accepts that begin together and take so long. */
  function create(count: number, tookMs: number): void {
    for (let begun = 0; begun < count; begun++)
      void createPriority.run(() => new Promise((resolve) => setTimeout(resolve, tookMs)));
  }
  function requestYield(): void {
    isHeldUp = true;
    void createPriority.yieldToCreates().then(() => (isHeldUp = false));
  }

  it('holds nobody up for a few accepts, however long they last', async () => {
    create(4, 1_000);
    await pass(900);
    requestYield();
    await pass(0);
    expect(isHeldUp).toBe(false);
  });

  it('holds up whoever comes while there are many, but not for ever', async () => {
    create(32, 10_000);
    await pass(300);
    requestYield();
    await pass(200);
    expect(isHeldUp).toBe(true);
    await pass(50);
    expect(isHeldUp).toBe(false);
  });

  it('takes the moment between two sets for no end, and sees the end when it comes', async () => {
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
