import { Injectable } from '@nestjs/common';
import { Batcher, withTimeout } from '@kinora/bus';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { UNPOLLED_AFTER_MS } from '../job/job.repository';
import { AttemptPoller } from './attempt-poller';
import { AttemptPollRepository } from '../attempt/attempt-poll.repository';

/** The number of tasks that one request to the sandbox polls at most. */
const MAX_JOBS = 200;
/** The second batch runs while the first one waits for a slow backend. */
const MAX_CONCURRENT = 2;

interface Waiting {
  jobId: string;
  resolve: (isPolled: boolean) => void;
}

/** Polls attempts for readers of their jobs, in micro-batches: one poll for many readers of one job, few polls for many jobs. */
@Injectable()
export class InlinePoll {
  private readonly batcher = new Batcher<Waiting>({
    maxItems: MAX_JOBS,
    maxConcurrent: MAX_CONCURRENT,
    keyOf: ({ jobId }) => jobId,
    work: (waiting) => this.serve(waiting),
  });

  constructor(
    private readonly polls: AttemptPollRepository,
    private readonly poller: AttemptPoller,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** True if a poll was due, and finished within the budget. */
  async reconcile(jobId: string, budgetMs: number): Promise<boolean> {
    const polled = new Promise<boolean>((resolve) => this.batcher.add({ jobId, resolve }));
    return await withTimeout(polled, budgetMs, () => false);
  }

  private async serve(waiting: Waiting[]): Promise<void> {
    const polled = await this.poll([...new Set(waiting.map(({ jobId }) => jobId))]).catch((error: unknown) => {
      this.logger.warn({ reason: String(error) }, 'jobs_not_reconciled');
      return new Set<string>();
    });
    for (const { jobId, resolve } of waiting) resolve(polled.has(jobId));
  }

  private async poll(jobIds: string[]): Promise<Set<string>> {
    const attempts = await this.polls.claimUnpolled(jobIds, UNPOLLED_AFTER_MS);
    await this.poller.pollEach(attempts);
    return new Set(attempts.map(({ job_id }) => job_id));
  }
}
