import { Breaker, type BreakerSignal } from './breaker';

const LOST: BreakerSignal = { kind: 'lost' };
const REACHED: BreakerSignal = { kind: 'reached' };
const refused = (jobId: string, retryAfterMs: number | null = null): BreakerSignal => ({
  kind: 'refused',
  jobId,
  retryAfterMs,
});

describe('breaker', () => {
  it.each([
    ['three answers are lost', [LOST, LOST, LOST]],
    ['three jobs are refused', [refused('a'), refused('b'), refused('c')]],
  ])('opens when %s in a row', (_, signs) => {
    const breaker = new Breaker();
    for (const sign of signs.slice(1)) breaker.see(sign, 0);
    expect(breaker.room(0)).toBe(Number.POSITIVE_INFINITY);
    breaker.see(signs[0] ?? LOST, 0);
    expect([breaker.room(0), breaker.room(999), breaker.room(1_000)]).toEqual([0, 0, 1]);
  });

  it('stays closed if only one job is refused, any number of times', () => {
    const breaker = new Breaker();
    for (let time = 0; time < 20; time += 1) breaker.see(refused('a'), time);
    expect(breaker.room(20)).toBe(Number.POSITIVE_INFINITY);
  });

  it('resets its counters when a task is accepted', () => {
    const breaker = new Breaker();
    for (const sign of [LOST, LOST, refused('a'), refused('b'), REACHED, LOST, LOST, refused('c'), refused('d')])
      breaker.see(sign, 0);
    expect(breaker.room(0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('lets one task through when it is half-open', () => {
    const breaker = new Breaker();
    for (const sign of [LOST, LOST, LOST]) breaker.see(sign, 0);
    breaker.sent(1_000);
    expect(breaker.room(1_000)).toBe(0);
    breaker.see(REACHED, 1_100);
    expect(breaker.room(1_100)).toBe(Number.POSITIVE_INFINITY);
  });

  it('doubles its pause each time the trial fails, up to a minute', () => {
    const breaker = new Breaker();
    for (const sign of [LOST, LOST, LOST]) breaker.see(sign, 0);
    let now = 1_000;
    const pauses = [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
    for (const pause of pauses) {
      breaker.sent(now);
      breaker.see(LOST, now);
      expect([breaker.room(now + pause - 1), breaker.room(now + pause)]).toEqual([0, 1]);
      now += pause;
    }
  });

  it('stays open for the requested Retry-After, up to a minute', () => {
    for (const [requested, pause] of [
      [7_000, 7_000],
      [600_000, 60_000],
    ] as const) {
      const breaker = new Breaker();
      for (const job of ['a', 'b', 'c']) breaker.see(refused(job, requested), 0);
      expect([breaker.room(pause - 1), breaker.room(pause)]).toEqual([0, 1]);
    }
  });

  it('is not extended by tasks that were in progress when it opened', () => {
    const breaker = new Breaker();
    for (let sign = 0; sign < 10; sign += 1) breaker.see(LOST, sign);
    expect(breaker.room(1_010)).toBe(1);
  });
});

describe('a probe', () => {
  const inTrouble = (...signs: BreakerSignal[]): Breaker => {
    const breaker = new Breaker();
    for (const sign of signs) breaker.see(sign, 0);
    return breaker;
  };
  const grown = (): Breaker => {
    const breaker = inTrouble(LOST, LOST, LOST);
    for (const now of [1_000, 3_000, 7_000]) {
      breaker.sent(now);
      breaker.see(LOST, now);
    }
    return breaker;
  };

  it('that is answered after a silence closes the breaker, for any length of the pause', () => {
    const breaker = grown();
    breaker.probed(false, 7_500);
    expect(breaker.room(7_600)).toBe(0);
    breaker.probed(true, 9_000);
    expect([breaker.isOpen, breaker.room(9_000)]).toEqual([false, Number.POSITIVE_INFINITY]);
  });

  it('that is always answered does not close the breaker of an instance that loses answers', () => {
    const breaker = grown();
    breaker.probed(true, 7_500);
    expect([breaker.isOpen, breaker.room(7_600), breaker.room(15_000)]).toEqual([true, 0, 1]);
  });

  it('replaces trials by jobs, except for one a minute', () => {
    const breaker = inTrouble(refused('a'), refused('b'), refused('c'));
    for (const now of [500, 2_000]) breaker.probed(false, now);
    expect([breaker.room(30_000), breaker.room(61_999), breaker.room(62_000)]).toEqual([0, 0, 1]);
  });

  it('opens the breaker after two probes without an answer that follow a poll without one', () => {
    const breaker = new Breaker();
    expect(breaker.wantsProbe).toBe(false);
    breaker.suspect();
    breaker.probed(false, 0);
    expect([breaker.wantsProbe, breaker.isOpen]).toEqual([true, false]);
    breaker.probed(false, 1_500);
    expect(breaker.isOpen).toBe(true);
  });

  it('that is answered ends the suspicion', () => {
    const breaker = new Breaker();
    breaker.suspect();
    breaker.probed(true, 0);
    expect([breaker.wantsProbe, breaker.isOpen]).toEqual([false, false]);
  });

  it('keeps pauses short for an instance that answers probes and refuses jobs', () => {
    const breaker = inTrouble(refused('a'), refused('b'), refused('c'));
    let now = 1_000;
    for (const pause of [2_000, 4_000, 4_000, 4_000]) {
      breaker.probed(true, now);
      breaker.sent(now);
      breaker.see(refused('d'), now);
      expect([breaker.room(now + pause - 1), breaker.room(now + pause)]).toEqual([0, 1]);
      now += pause;
    }
  });
});
