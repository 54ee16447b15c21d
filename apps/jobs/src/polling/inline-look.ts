import { Injectable } from '@nestjs/common';
import { Gatherer, withTimeout } from '@kinora/bus';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { UNCHECKED_AFTER_MS } from '../job/job.repository';
import { AttemptFollower } from './attempt-follower';
import { AttemptLookRepository } from '../attempt/attempt-look.repository';

/** As many as the sandbox is asked for in one request. */
const MAX_JOBS = 200;
/** The second goes on while the first waits for a slow backend. */
const MAX_UNDER_WAY = 2;

interface Waiting {
  jobId: string;
  resolve: (isLooked: boolean) => void;
}

/** Looks at attempts for readers of their jobs: many readers of one job lead to one look, those of many jobs to a few. */
@Injectable()
export class InlineLook {
  private readonly gatherer = new Gatherer<Waiting>({
    maxItems: MAX_JOBS,
    maxUnderWay: MAX_UNDER_WAY,
    keyOf: ({ jobId }) => jobId,
    work: (waiting) => this.serve(waiting),
  });

  constructor(
    private readonly looks: AttemptLookRepository,
    private readonly follower: AttemptFollower,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** True if nobody else had looked for too long, and this look was done within the budget. */
  async reconcile(jobId: string, budgetMs: number): Promise<boolean> {
    const looked = new Promise<boolean>((resolve) => this.gatherer.add({ jobId, resolve }));
    return await withTimeout(looked, budgetMs, () => false);
  }

  private async serve(waiting: Waiting[]): Promise<void> {
    const looked = await this.look([...new Set(waiting.map(({ jobId }) => jobId))]).catch((error: unknown) => {
      this.logger.warn({ reason: String(error) }, 'jobs_not_reconciled');
      return new Set<string>();
    });
    for (const { jobId, resolve } of waiting) resolve(looked.has(jobId));
  }

  private async look(jobIds: string[]): Promise<Set<string>> {
    const attempts = await this.looks.claimUnchecked(jobIds, UNCHECKED_AFTER_MS);
    await this.follower.followEach(attempts);
    return new Set(attempts.map(({ job_id }) => job_id));
  }
}
