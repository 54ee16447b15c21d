import { CircuitBreaker } from '@kinora/service-kit';

/** So many jobs in a row, none of which an instance took, make it count as down: one job may be to blame itself. */
const REFUSED_JOBS = 3;
/** So many lost answers in a row, of whatever jobs: each leaves work behind that is not known of. */
const LOST_ANSWERS = 3;
/** So many probes in a row without an answer; one alone may have met a moment's trouble. */
const SILENT_PROBES = 2;
const PAUSES = { firstMs: 1_000, maxMs: 60_000 };
/** Of an instance that answers probes and refuses jobs: a job that it refuses once more costs it next to nothing. */
const MAX_REFUSAL_PAUSE_MS = 4_000;

/** What a submission has shown of an instance. */
export type BreakerSignal =
  /** It has taken a task. */
  | { kind: 'reached' }
  /** It took nothing: it is full, or not there at all. */
  | { kind: 'refused'; jobId: string; retryAfterMs: number | null }
  /** It may have taken something, which cannot be known. */
  | { kind: 'lost' };

/**
 * A circuit breaker for one instance: closed lets everything through, open nothing, and half-open one task, by which it is
 * seen whether the trouble is over. While it is open the instance is probed as well, at a fixed interval: the first answer
 * after a silence closes it, however long its pauses have grown. What one job alone is refused for never keeps others away.
 */
export class Breaker {
  private readonly circuit = new CircuitBreaker(PAUSES);
  private readonly refusedJobs = new Set<string>();
  private lostAnswers = 0;
  private silentProbes = 0;
  private isSuspect = false;

  /** Whether there was trouble of which it is not known yet that it is over. */
  get isOpen(): boolean {
    return this.circuit.isOpen;
  }

  /** Whether it is to be found out if the instance answers at all. */
  get wantsProbe(): boolean {
    return this.isOpen || this.isSuspect;
  }

  /** How many tasks may be sent. */
  room(nowMs: number): number {
    return this.circuit.room(nowMs);
  }

  /** A task is on its way. */
  sent(nowMs: number): void {
    this.circuit.begin(nowMs);
  }

  /** It did not leave after all. */
  withdraw(): void {
    this.circuit.end();
  }

  see(sign: BreakerSignal, nowMs: number): void {
    const wasTrial = this.circuit.end();
    if (sign.kind === 'reached') return this.close();
    if (sign.kind === 'refused') this.refusedJobs.add(sign.jobId);
    else this.lostAnswers += 1;
    if (wasTrial || this.refusedJobs.size >= REFUSED_JOBS || this.lostAnswers >= LOST_ANSWERS) this.open(nowMs, sign);
  }

  /** The instance has said nothing of its tasks, which may be the fault of a task: a probe will tell. */
  suspect(): void {
    this.isSuspect = true;
  }

  /** A probe was answered, or not. */
  probed(isAnswered: boolean, nowMs: number): void {
    this.isSuspect = !isAnswered;
    if (isAnswered) return this.answered();
    this.silentProbes += 1;
    // A task would only find out what the next probe does: it is sent in case that the probes are wrong.
    if (this.silentProbes === SILENT_PROBES) this.circuit.openLongest(nowMs);
  }

  private answered(): void {
    if (this.silentProbes >= SILENT_PROBES || (this.silentProbes > 0 && this.isOpen)) this.close();
    this.silentProbes = 0;
  }

  private close(): void {
    this.refusedJobs.clear();
    this.lostAnswers = 0;
    this.silentProbes = 0;
    this.circuit.close();
  }

  private open(nowMs: number, sign: Exclude<BreakerSignal, { kind: 'reached' }>): void {
    // What was sent before it opened still comes back; that is no new trouble.
    if (this.circuit.isPaused(nowMs)) return;
    const requestedMs = sign.kind === 'refused' ? (sign.retryAfterMs ?? 0) : 0;
    const isThere = sign.kind === 'refused' && this.silentProbes === 0;
    this.circuit.open(nowMs, requestedMs, isThere ? MAX_REFUSAL_PAUSE_MS : PAUSES.maxMs);
  }
}
