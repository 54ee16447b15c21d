import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { ChangedJobs } from '@kinora/contracts/jobs/jobs.events';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { Bus, deadlineIn, runInCall } from '@kinora/bus';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { newRequestId } from '../http/call.hook';

const GENERATION_MS = 10_000;
/** A burst of ends costs at most 10 MB; the safety read then finds what was forgotten. */
const MAX_IDS_A_GENERATION = 50_000;

/** Ids of the last 10 to 20 seconds: longer than any read that began before the id arrived. */
export class RecentIds {
  private current = new Set<string>();
  private previous = new Set<string>();
  private begunAtMs = performance.now();

  add(id: string): void {
    const now = performance.now();
    if (now - this.begunAtMs > GENERATION_MS || this.current.size >= MAX_IDS_A_GENERATION) {
      this.previous = this.current;
      this.current = new Set();
      this.begunAtMs = now;
    }
    this.current.add(id);
  }

  has(id: string): boolean {
    return this.current.has(id) || this.previous.has(id);
  }
}

/** A job whose signal was lost is noticed within this time. */
const SAFETY_READ_EVERY_MS = 15_000;
/** (jobsRpc.listEnded) */
const SAFETY_READ_IDS = 1_000;

/** Called for each change of the job; a change may be reported more than once. */
export type OnChange = (change: 'updated' | 'ended') => void;

/**
 * The jobs that this process holds requests about. Signals of jobs report their changes, so no held request polls. One slow
 * read of all watched ids repairs lost signals.
 */
@Injectable()
export class JobWatch implements BeforeApplicationShutdown {
  private readonly watched = new Map<string, Set<OnChange>>();
  private readonly recentlyEnded = new RecentIds();
  /** Not started by a request: a timer runs in the call that has started it, whose deadline passes. */
  private readonly timer = setInterval(() => void this.repair(), SAFETY_READ_EVERY_MS).unref();

  constructor(
    private readonly bus: Bus,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Whether a signal of the last seconds reported its end. A caller that has read the job in flight must ask this before the
   * watch: the job may have ended in between.
   */
  hasRecentlyEnded(jobId: string): boolean {
    return this.recentlyEnded.has(jobId);
  }

  /** Returns the function that ends the watch. */
  add(jobId: string, onChange: OnChange): () => void {
    const watchers = this.watched.get(jobId) ?? new Set();
    this.watched.set(jobId, watchers.add(onChange));
    return () => {
      watchers.delete(onChange);
      if (watchers.size === 0 && this.watched.get(jobId) === watchers) this.watched.delete(jobId);
    };
  }

  report({ updated, ended }: ChangedJobs): void {
    for (const jobId of ended) this.recentlyEnded.add(jobId);
    for (const jobId of updated) this.notify(jobId, 'updated');
    for (const jobId of ended) this.notify(jobId, 'ended');
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** One read after the other: a slow database gets no second page while it works on the first. */
  private async repair(): Promise<void> {
    const ids = [...this.watched.keys()];
    try {
      for (let place = 0; place < ids.length; place += SAFETY_READ_IDS) {
        const page = ids.slice(place, place + SAFETY_READ_IDS);
        const { ended } = await this.bus.request(jobsRpc.listEnded, { job_ids: page });
        for (const jobId of ended) this.notify(jobId, 'ended');
      }
    } catch (error) {
      this.logger.warn({ reason: String(error) }, 'watched_jobs_not_read');
    }
  }

  private notify(jobId: string, change: 'updated' | 'ended'): void {
    for (const onChange of [...(this.watched.get(jobId) ?? [])]) onChange(change);
  }
}

/** Reads of jobs for held requests: one request for all that ask for the same job in one turn of the event loop. */
@Injectable()
export class SharedReads {
  private readonly pending = new Map<string, Promise<unknown>>();

  constructor(private readonly bus: Bus) {}

  /**
   * Starts after the call, so the answer is never older than the change that caused it. The deadline of the held request has
   * often passed, so the read has its own.
   */
  read<Answer>(contract: RpcContract<JobRef, Answer>, ref: JobRef): Promise<Answer> {
    const key = `${contract.subject} ${ref.account_id} ${ref.job_id}`;
    if (this.pending.size === 0) setImmediate(() => this.pending.clear());
    const call = { requestId: newRequestId(), accountId: ref.account_id, deadlineAtMs: deadlineIn(contract.timeoutMs) };
    const shared = this.pending.get(key) ?? runInCall(call, () => this.bus.request(contract, ref));
    this.pending.set(key, shared);
    return shared as Promise<Answer>;
  }
}
