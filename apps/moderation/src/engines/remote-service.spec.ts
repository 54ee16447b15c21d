import { EngineBreaker } from './remote-service';

/** A breaker that has just counted the fifth fault in a row, at time 0, and refuses requests for one second. */
function inTrouble(): EngineBreaker {
  const breaker = new EngineBreaker();
  for (let i = 0; i < 5; i++) breaker.fail(0);
  return breaker;
}

describe('engine breaker', () => {
  it('admits every request until the fifth fault in a row', () => {
    const breaker = new EngineBreaker();
    for (let i = 0; i < 4; i++) breaker.fail(0);
    expect([breaker.enter(0), breaker.enter(0)]).toEqual([true, true]);

    breaker.succeed();
    for (let i = 0; i < 4; i++) breaker.fail(0);
    expect(breaker.enter(0)).toBe(true);

    breaker.fail(0);
    expect(breaker.enter(0)).toBe(false);
  });

  it('admits a single trial request after the pause, and all requests once it succeeds', () => {
    const breaker = inTrouble();

    expect([breaker.enter(999), breaker.enter(1_000), breaker.enter(1_000)]).toEqual([false, true, false]);

    breaker.succeed();
    expect([breaker.enter(1_000), breaker.enter(1_000)]).toEqual([true, true]);
  });

  it('doubles the pause after each failed trial request, up to thirty seconds', () => {
    const breaker = inTrouble();
    let nowMs = 0;

    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      expect([breaker.enter(nowMs + pauseMs - 1), breaker.enter(nowMs + pauseMs)]).toEqual([false, true]);
      nowMs += pauseMs;
      breaker.fail(nowMs);
    }
  });

  it('pauses for the Retry-After of an engine after a single fault, up to thirty seconds', () => {
    const breaker = new EngineBreaker();
    breaker.fail(0, 7_000);
    expect([breaker.enter(6_999), breaker.enter(7_000)]).toEqual([false, true]);

    breaker.fail(7_000, 3_600_000);
    expect([breaker.enter(36_999), breaker.enter(37_000)]).toEqual([false, true]);
  });
});
