/** So many faults in a row, and the next requests are not even tried: they would only wait for the same. */
const FAULTS_IN_A_ROW = 5;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** Keeps requests from an engine that is in trouble; after a pause one of them finds out whether the trouble is over. */
export class EngineBreaker {
  private faults = 0;
  private pauses = 0;
  private openUntilMs: number | null = null;
  private isProbing = false;

  /** Whether a request may be sent; whoever was let in must tell how it ended. */
  enter(nowMs: number): boolean {
    if (this.openUntilMs === null) return true;
    if (nowMs < this.openUntilMs || this.isProbing) return false;
    this.isProbing = true;
    return true;
  }

  succeed(): void {
    this.faults = 0;
    this.pauses = 0;
    this.openUntilMs = null;
    this.isProbing = false;
  }

  fail(nowMs: number, retryAfterMs: number | null = null): void {
    this.faults += 1;
    this.isProbing = false;
    if (this.faults < FAULTS_IN_A_ROW && retryAfterMs === null) return;
    const pauseMs = Math.max(FIRST_PAUSE_MS * 2 ** this.pauses, retryAfterMs ?? 0);
    this.openUntilMs = nowMs + Math.min(pauseMs, MAX_PAUSE_MS);
    // Bounded, because two to the power of many faults is no number of milliseconds.
    this.pauses = Math.min(this.pauses + 1, 5);
  }
}
