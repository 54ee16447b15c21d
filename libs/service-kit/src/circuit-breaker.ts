export interface CircuitPauses {
  /** After the first opening; each further one, without a close between them, doubles it. */
  firstMs: number;
  maxMs: number;
}

/**
 * The states of a circuit breaker before one backend: closed lets every call through, open none, and half-open, after a
 * pause, a single one as a trial. The owner decides what counts as a failure, and calls `open` and `close`.
 *
 * Not cockatiel 3.2.1 (version 4 needs Node 22): its breaker does not receive the error, so no Retry-After can open it; its
 * half-open state queues the calls that are to be refused; and it has no count of the calls that may begin.
 */
export class CircuitBreaker {
  private openings = 0;
  private openUntilMs: number | null = null;
  private isOnTrial = false;

  constructor(private readonly pauses: CircuitPauses) {}

  /** Open or half-open: it is not known yet whether the trouble is over. */
  get isOpen(): boolean {
    return this.openUntilMs !== null;
  }

  isPaused(nowMs: number): boolean {
    return this.openUntilMs !== null && nowMs < this.openUntilMs;
  }

  /** How many calls may begin. */
  room(nowMs: number): number {
    if (!this.isOpen) return Number.POSITIVE_INFINITY;
    return this.isPaused(nowMs) || this.isOnTrial ? 0 : 1;
  }

  /** A call begins; while half-open it is the trial. */
  begin(nowMs: number): void {
    if (this.isOpen && !this.isPaused(nowMs)) this.isOnTrial = true;
  }

  /** A call has ended, whether or not it has shown anything. @returns whether there was a trial. */
  end(): boolean {
    const wasOnTrial = this.isOnTrial;
    this.isOnTrial = false;
    return wasOnTrial;
  }

  close(): void {
    this.openings = 0;
    this.openUntilMs = null;
  }

  /** Opens for the next longer pause, or for as long as the backend asks if that is more, and never for more than `maxMs`. */
  open(nowMs: number, requestedMs = 0, longestBackoffMs = this.pauses.maxMs): void {
    const backoffMs = Math.min(this.pauses.firstMs * 2 ** this.openings, longestBackoffMs);
    this.openings += 1;
    this.openUntilMs = nowMs + Math.min(Math.max(backoffMs, requestedMs), this.pauses.maxMs);
  }

  /** Opens for the longest pause, and leaves the next one as long as it would have been. */
  openLongest(nowMs: number): void {
    this.openUntilMs = nowMs + this.pauses.maxMs;
  }
}
