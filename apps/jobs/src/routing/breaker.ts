import { CircuitBreaker } from '@kinora/service-kit';

/** After this many refused jobs in a row an instance counts as down. One refused job may have caused the refusal itself. */
const REFUSED_JOBS = 3;
/** After this many lost answers in a row an instance counts as down. Each may leave a task whose state is unknown. */
const LOST_ANSWERS = 3;
/** The probes in a row without an answer that open the breaker; one alone may be a short interruption. */
const SILENT_PROBES = 2;
const PAUSES = { firstMs: 1_000, maxMs: 60_000 };
/** For an instance that answers probes and refuses jobs: one more refused job costs it next to nothing. */
const MAX_REFUSAL_PAUSE_MS = 4_000;

/** The result of a submission, as far as it concerns the instance. */
export type BreakerSignal =
  /** It has accepted a task. */
  | { kind: 'reached' }
  /** It did not accept the task: it is full or down. */
  | { kind: 'refused'; jobId: string; retryAfterMs: number | null }
  /** The answer is lost, so it may have accepted the task. */
  | { kind: 'lost' };

/**
 * A circuit breaker for one instance. Closed, it lets every task through; open, none; half-open, one trial task. While it is
 * open, the instance is also probed at a fixed interval: the first answer after a silence closes it, for any length of the
 * pause. Refusals of one job alone never open it.
 */
export class Breaker {
  private readonly circuit = new CircuitBreaker(PAUSES);
  private readonly refusedJobs = new Set<string>();
  private lostAnswers = 0;
  private silentProbes = 0;
  private isSuspect = false;

  /** Whether it is open or half-open. */
  get isOpen(): boolean {
    return this.circuit.isOpen;
  }

  /** Whether a probe has to find out if the instance answers. */
  get wantsProbe(): boolean {
    return this.isOpen || this.isSuspect;
  }

  /** How many tasks may be sent now. */
  room(nowMs: number): number {
    return this.circuit.room(nowMs);
  }

  sent(nowMs: number): void {
    this.circuit.begin(nowMs);
  }

  /** The task was not sent. */
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

  /** A poll had no answer, possibly because of one task: the next probe decides. */
  suspect(): void {
    this.isSuspect = true;
  }

  /** The result of a probe. */
  probed(isAnswered: boolean, nowMs: number): void {
    this.isSuspect = !isAnswered;
    if (isAnswered) return this.answered();
    this.silentProbes += 1;
    // The probes find out first whether the instance is back. A task is still tried after the longest pause, in case the probes
    // are wrong.
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
    // Results of tasks that were sent before it opened do not extend the pause.
    if (this.circuit.isPaused(nowMs)) return;
    const requestedMs = sign.kind === 'refused' ? (sign.retryAfterMs ?? 0) : 0;
    const isThere = sign.kind === 'refused' && this.silentProbes === 0;
    this.circuit.open(nowMs, requestedMs, isThere ? MAX_REFUSAL_PAUSE_MS : PAUSES.maxMs);
  }
}

/** A server that loads a large model does not answer for a while, so only a longer silence counts where others can do the work. */
const SILENT_AFTER_MS = 5_000;

/** Since when each instance has answered none of the polls that were sent to it. */
export class UnansweredRequests {
  private readonly sinceMs = new Map<string, number>();

  sent(instance: string, nowMs: number): void {
    if (!this.sinceMs.has(instance)) this.sinceMs.set(instance, nowMs);
  }

  answered(instance: string): void {
    this.sinceMs.delete(instance);
  }

  isSilent(instance: string, nowMs: number): boolean {
    const sinceMs = this.sinceMs.get(instance);
    return sinceMs !== undefined && nowMs - sinceMs >= SILENT_AFTER_MS;
  }
}
