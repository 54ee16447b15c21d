import { Injectable } from '@nestjs/common';
import { Batcher, withTimeout } from '@kinora/bus';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { UNPOLLED_AFTER_MS } from '../job/job.repository';
import { AttemptPoller } from './attempt-poller';
import { AttemptPollRepository } from '../attempt/attempt-poll.repository';

/** As many as the sandbox is asked for in one request. */
const MAX_JOBS = 200;
/** The second goes on while the first waits for a slow backend. */
const MAX_CONCURRENT = 2;

interface Waiting {
  jobId: string;
  resolve: (isPolled: boolean) => void;
}

/** Looks at attempts for readers of their jobs: many readers of one job lead to one look, those of many jobs to a few. */
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

  /** True if nobody else had looked for too long, and this look was done within the budget. */
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
