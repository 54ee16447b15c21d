import { EngineBreaker } from './engine-breaker';

/** One that has just had the fifth fault in a row, at 0, and stays closed to requests for a second. */
function inTrouble(): EngineBreaker {
  const breaker = new EngineBreaker();
  for (let i = 0; i < 5; i++) breaker.fail(0);
  return breaker;
}

describe('engine breaker', () => {
  it('lets everything in until the fifth fault in a row', () => {
    const breaker = new EngineBreaker();
    for (let i = 0; i < 4; i++) breaker.fail(0);
    expect([breaker.enter(0), breaker.enter(0)]).toEqual([true, true]);

    breaker.succeed();
    for (let i = 0; i < 4; i++) breaker.fail(0);
    expect(breaker.enter(0)).toBe(true);

    breaker.fail(0);
    expect(breaker.enter(0)).toBe(false);
  });

  it('lets a single request find out whether the trouble is over, and all others in once it is', () => {
    const breaker = inTrouble();

    expect([breaker.enter(999), breaker.enter(1_000), breaker.enter(1_000)]).toEqual([false, true, false]);

    breaker.succeed();
    expect([breaker.enter(1_000), breaker.enter(1_000)]).toEqual([true, true]);
  });

  it('pauses twice as long after each fault of such a request, thirty seconds at most', () => {
    const breaker = inTrouble();
    let nowMs = 0;

    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      expect([breaker.enter(nowMs + pauseMs - 1), breaker.enter(nowMs + pauseMs)]).toEqual([false, true]);
      nowMs += pauseMs;
      breaker.fail(nowMs);
    }
  });

  it('pauses for as long as an engine asks, after a single fault, thirty seconds at most', () => {
    const breaker = new EngineBreaker();
    breaker.fail(0, 7_000);
    expect([breaker.enter(6_999), breaker.enter(7_000)]).toEqual([false, true]);

    breaker.fail(7_000, 3_600_000);
    expect([breaker.enter(36_999), breaker.enter(37_000)]).toEqual([false, true]);
  });
});
