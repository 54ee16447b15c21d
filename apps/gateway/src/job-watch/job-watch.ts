import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { ChangedJobs } from '@kinora/contracts/jobs/jobs.events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { RecentIds } from './recent-ids';

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
