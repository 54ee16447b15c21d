import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { ChangedJobs } from '@kinora/contracts/jobs/jobs.events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
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

/** Functions by the id of what they watch. */
export class Watchers<Notice> {
  private readonly byId = new Map<string, Set<(notice: Notice) => void>>();

  add(id: string, watcher: (notice: Notice) => void): () => void {
    const watchers = this.byId.get(id) ?? new Set();
    this.byId.set(id, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.byId.get(id) === watchers) this.byId.delete(id);
    };
  }

  notify(id: string, notice: Notice): void {
    for (const watcher of [...(this.byId.get(id) ?? [])]) watcher(notice);
  }

  keys(): string[] {
    return [...this.byId.keys()];
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
  private readonly watchers = new Watchers<'updated' | 'ended'>();
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

  add(jobId: string, onChange: OnChange): () => void {
    return this.watchers.add(jobId, onChange);
  }

  report({ updated, ended }: ChangedJobs): void {
    for (const jobId of ended) this.recentlyEnded.add(jobId);
    for (const jobId of updated) this.watchers.notify(jobId, 'updated');
    for (const jobId of ended) this.watchers.notify(jobId, 'ended');
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** One read after the other: a slow database gets no second page while it works on the first. */
  private async repair(): Promise<void> {
    const ids = this.watchers.keys();
    try {
      for (let place = 0; place < ids.length; place += SAFETY_READ_IDS) {
        const page = ids.slice(place, place + SAFETY_READ_IDS);
        const { ended } = await this.bus.request(jobsRpc.listEnded, { job_ids: page });
        for (const jobId of ended) this.watchers.notify(jobId, 'ended');
      }
    } catch (error) {
      this.logger.warn({ reason: String(error) }, 'watched_jobs_not_read');
    }
  }
}

/** Reads for held requests: one request for all that ask for the same in one turn of the event loop. */
@Injectable()
export class SharedReads {
  private readonly pending = new Map<string, Promise<unknown>>();

  constructor(private readonly bus: Bus) {}

  /**
   * Starts after the call, so the answer is never older than the change that caused it. The deadline of the held request has
   * often passed, so the read has its own.
   */
  read<Request extends { account_id: string }, Answer>(
    contract: RpcContract<Request, Answer>,
    request: Request,
  ): Promise<Answer> {
    const key = `${contract.subject} ${JSON.stringify(request)}`;
    if (this.pending.size === 0) setImmediate(() => this.pending.clear());
    const { account_id: accountId } = request;
    const call = { requestId: newRequestId(), accountId, deadlineAtMs: deadlineIn(contract.timeoutMs) };
    const shared = this.pending.get(key) ?? runInCall(call, () => this.bus.request(contract, request));
    this.pending.set(key, shared);
    return shared as Promise<Answer>;
  }
}
