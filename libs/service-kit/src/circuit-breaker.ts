export interface CircuitPauses {
  /** Pause after the first opening. Each further opening without a close in between doubles it. */
  firstMs: number;
  maxMs: number;
}

/**
 * A circuit breaker for one backend. Closed, it allows every call; open, none; half-open, after a pause, a single call as a
 * trial. The owner decides what counts as a failure, and calls `open` and `close`.
 *
 * Not cockatiel 3.2.1 (version 4 needs Node 22): its breaker does not receive the error, so it cannot apply a Retry-After. Its
 * half-open state queues calls that must be refused, and it cannot report how many calls may begin.
 */
export class CircuitBreaker {
  private openings = 0;
  private openUntilMs: number | null = null;
  private isOnTrial = false;

  constructor(private readonly pauses: CircuitPauses) {}

  /** Open or half-open: it is not known yet whether the backend has recovered. */
  get isOpen(): boolean {
    return this.openUntilMs !== null;
  }

  isPaused(nowMs: number): boolean {
    return this.openUntilMs !== null && nowMs < this.openUntilMs;
  }

  /** Number of calls that may begin. */
  room(nowMs: number): number {
    if (!this.isOpen) return Number.POSITIVE_INFINITY;
    return this.isPaused(nowMs) || this.isOnTrial ? 0 : 1;
  }

  /** A call begins; while half-open it is the trial. */
  begin(nowMs: number): void {
    if (this.isOpen && !this.isPaused(nowMs)) this.isOnTrial = true;
  }

  /** A call has ended, with any result. @returns whether a trial was under way. */
  end(): boolean {
    const wasOnTrial = this.isOnTrial;
    this.isOnTrial = false;
    return wasOnTrial;
  }

  close(): void {
    this.openings = 0;
    this.openUntilMs = null;
  }

  /**
   * Opens for the next longer pause, or for the time that the backend requests if that is longer, but never for more than
   * `maxMs`.
   */
  open(nowMs: number, requestedMs = 0, longestBackoffMs = this.pauses.maxMs): void {
    const backoffMs = Math.min(this.pauses.firstMs * 2 ** this.openings, longestBackoffMs);
    this.openings += 1;
    this.openUntilMs = nowMs + Math.min(Math.max(backoffMs, requestedMs), this.pauses.maxMs);
  }

  /** Opens for the longest pause, without an effect on the length of the next one. */
  openLongest(nowMs: number): void {
    this.openUntilMs = nowMs + this.pauses.maxMs;
  }
}
