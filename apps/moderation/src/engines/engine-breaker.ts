import { CircuitBreaker } from '@kinora/service-kit';

/** So many faults in a row, and the next requests are not even tried: they would only wait for the same. */
const FAULTS_IN_A_ROW = 5;

/** Keeps requests from an engine that is in trouble; after a pause one of them finds out whether the trouble is over. */
export class EngineBreaker {
  private readonly circuit = new CircuitBreaker({ firstMs: 1_000, maxMs: 30_000 });
  private faults = 0;

  /** Whether a request may be sent; the caller then has to report how it ended. */
  enter(nowMs: number): boolean {
    if (this.circuit.room(nowMs) === 0) return false;
    this.circuit.begin(nowMs);
    return true;
  }

  succeed(): void {
    this.faults = 0;
    this.circuit.end();
    this.circuit.close();
  }

  fail(nowMs: number, retryAfterMs: number | null = null): void {
    this.faults += 1;
    this.circuit.end();
    if (this.faults >= FAULTS_IN_A_ROW || retryAfterMs !== null) this.circuit.open(nowMs, retryAfterMs ?? 0);
  }
}
