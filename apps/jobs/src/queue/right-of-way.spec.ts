import { RightOfWay } from './right-of-way';

describe('the right of way of accepts', () => {
  let rightOfWay: RightOfWay;
  let isHeldUp: boolean;

  beforeEach(() => {
    jest.useFakeTimers();
    rightOfWay = new RightOfWay();
  });
  afterEach(() => jest.useRealTimers());

  const pass = (milliseconds: number): Promise<unknown> => jest.advanceTimersByTimeAsync(milliseconds);

  /** Accepts that begin together and take so long. */
  function accept(count: number, tookMs: number): void {
    for (let begun = 0; begun < count; begun++)
      void rightOfWay.during(() => new Promise((resolve) => setTimeout(resolve, tookMs)));
  }
  function askToPass(): void {
    isHeldUp = true;
    void rightOfWay.giveWay().then(() => (isHeldUp = false));
  }

  it('holds nobody up for a few accepts, however long they last', async () => {
    accept(4, 1_000);
    await pass(900);
    askToPass();
    await pass(0);
    expect(isHeldUp).toBe(false);
  });

  it('holds up whoever comes while there are many, but not for ever', async () => {
    accept(32, 10_000);
    await pass(300);
    askToPass();
    await pass(200);
    expect(isHeldUp).toBe(true);
    await pass(50);
    expect(isHeldUp).toBe(false);
  });

  it('takes the moment between two sets for no end, and sees the end when it comes', async () => {
    for (let set = 0; set < 20; set++) {
      accept(24, 15);
      await pass(20);
    }
    askToPass();
    await pass(25);
    expect(isHeldUp).toBe(true);
    await pass(100);
    expect(isHeldUp).toBe(false);
  });
});
