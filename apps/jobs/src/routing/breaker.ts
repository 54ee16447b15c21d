/** So many jobs in a row, none of which an instance took, make it count as down: one job may be to blame itself. */
const REFUSED_JOBS = 3;
/** So many lost answers in a row, of whatever jobs: each leaves work behind of which nobody knows. */
const LOST_ANSWERS = 3;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** What a submission, or a look at tasks, has shown of an instance. */
export type Sign =
  /** It has taken a task, or has spoken of one. */
  | { kind: 'reached' }
  /** It took nothing: it is full, or not there at all. */
  | { kind: 'refused'; jobId: string; retryAfterMs: number | null }
  /** It may have taken something, and nobody can say. */
  | { kind: 'lost' };

/**
 * Keeps an instance that is in trouble out of the choice: closed lets everything through, open nothing, and half-open one
 * task, by which it is seen whether the trouble is over. What one job alone is refused for never keeps others away.
 */
export class Breaker {
  private readonly refusedJobs = new Set<string>();
  private lostAnswers = 0;
  private pauses = 0;
  private openUntilMs: number | null = null;
  private isProbing = false;

  /** Whether there was trouble of which it is not known yet that it is over. */
  get isOpen(): boolean {
    return this.openUntilMs !== null;
  }

  /** How many tasks may be sent. */
  room(nowMs: number): number {
    if (this.openUntilMs === null) return Number.POSITIVE_INFINITY;
    return nowMs < this.openUntilMs || this.isProbing ? 0 : 1;
  }

  /** A task is on its way. */
  sent(nowMs: number): void {
    if (this.openUntilMs !== null && nowMs >= this.openUntilMs) this.isProbing = true;
  }

  /** It did not leave after all. */
  withdraw(): void {
    this.isProbing = false;
  }

  see(sign: Sign, nowMs: number): void {
    const wasProbing = this.isProbing;
    this.isProbing = false;
    if (sign.kind === 'reached') return this.close();
    if (sign.kind === 'refused') this.refusedJobs.add(sign.jobId);
    else this.lostAnswers += 1;
    if (wasProbing || this.refusedJobs.size >= REFUSED_JOBS || this.lostAnswers >= LOST_ANSWERS)
      this.open(nowMs, sign.kind === 'refused' ? sign.retryAfterMs : null);
  }

  private close(): void {
    this.refusedJobs.clear();
    this.lostAnswers = 0;
    this.pauses = 0;
    this.openUntilMs = null;
  }

  private open(nowMs: number, askedMs: number | null): void {
    const pauseMs = Math.min(Math.max(FIRST_PAUSE_MS * 2 ** this.pauses, askedMs ?? 0), MAX_PAUSE_MS);
    // What was sent before it opened still comes back; that is no new trouble.
    if (this.openUntilMs !== null && nowMs < this.openUntilMs) return;
    this.pauses += 1;
    this.openUntilMs = nowMs + pauseMs;
  }
}
