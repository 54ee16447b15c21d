import { CircuitBreaker } from '@kinora/service-kit';

/** After this many faults in a row the circuit opens, because further requests would only wait for the same fault. */
const FAULTS_IN_A_ROW = 5;

/** Circuit breaker of one engine; after a pause it admits one trial request. */
export class EngineBreaker {
  private readonly circuit = new CircuitBreaker({ firstMs: 1_000, maxMs: 30_000 });
  private faults = 0;

  /** Whether a request may be sent; the caller must then report its result. */
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
