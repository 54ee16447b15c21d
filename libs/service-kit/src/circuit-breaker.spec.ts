import { CircuitBreaker } from './circuit-breaker';

const newCircuit = (): CircuitBreaker => new CircuitBreaker({ firstMs: 1_000, maxMs: 10_000 });

describe('circuit breaker', () => {
  it('allows every call until it is opened, and again once it is closed', () => {
    const circuit = newCircuit();
    expect([circuit.isOpen, circuit.room(0)]).toEqual([false, Number.POSITIVE_INFINITY]);
    circuit.open(0);
    expect([circuit.isOpen, circuit.isPaused(999), circuit.room(999)]).toEqual([true, true, 0]);
    circuit.close();
    expect([circuit.isOpen, circuit.isPaused(0), circuit.room(0)]).toEqual([false, false, Number.POSITIVE_INFINITY]);
  });

  it('allows a single trial after the pause, and another one when that has ended', () => {
    const circuit = newCircuit();
    circuit.open(0);
    expect([circuit.isPaused(1_000), circuit.room(1_000)]).toEqual([false, 1]);
    circuit.begin(1_000);
    expect([circuit.isOpen, circuit.room(60_000)]).toEqual([true, 0]);
    expect([circuit.end(), circuit.end(), circuit.room(1_000)]).toEqual([true, false, 1]);
  });

  it('does not treat a call as the trial that began while it was closed or paused', () => {
    const circuit = newCircuit();
    circuit.begin(0);
    circuit.open(0);
    circuit.begin(999);
    expect([circuit.end(), circuit.room(1_000)]).toEqual([false, 1]);
  });

  it('doubles the pause at each opening, up to the longest, and starts again at the first once closed', () => {
    const circuit = newCircuit();
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
      circuit.open(0);
      expect([circuit.room(pauseMs - 1), circuit.room(pauseMs)]).toEqual([0, 1]);
    }
    circuit.close();
    circuit.open(0);
    expect(circuit.room(1_000)).toBe(1);
  });

  it.each([
    ['less than the backoff', 500, undefined, 1_000],
    ['more than the backoff', 7_000, undefined, 7_000],
    ['more than the longest pause', 3_600_000, undefined, 10_000],
    ['more than the longest backoff', 7_000, 500, 7_000],
    ['nothing', 0, 500, 500],
  ])('opens for the right pause if the backend asks for %s', (_, requestedMs, longestBackoffMs, pauseMs) => {
    const circuit = newCircuit();
    circuit.open(0, requestedMs, longestBackoffMs);
    expect([circuit.room(pauseMs - 1), circuit.room(pauseMs)]).toEqual([0, 1]);
  });

  it('opens for the longest pause without lengthening the next one', () => {
    const circuit = newCircuit();
    circuit.openLongest(0);
    expect([circuit.room(9_999), circuit.room(10_000)]).toEqual([0, 1]);
    circuit.open(10_000);
    expect(circuit.room(11_000)).toBe(1);
  });
});
