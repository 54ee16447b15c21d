import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { CreatedJobs } from '../created-jobs';
import { JobClaimsRepository } from '../job-claims.repository';
import { CreatePriority } from '../create-priority';
import type { JobRow } from '../../job/job.entity';
import { JobRoutes } from '../../routing/job-routes';
import type { ChosenRoute } from '../../routing/router';
import { ModelQueueDispatch } from '../model-queue-dispatch';
import type { OnSubmitted } from '../submission';
import { Submissions } from '../submissions';

/** With more jobs, some would wait for the others; the rounds handle larger batches. */
const FEW = 16;

/**
 * Submits the jobs that this process has created, while few are created. Such a job is nearly always the head of its queue, and
 * its row is in memory. One statement then checks that it is the head, claims it, and opens its attempt.
 */
@Injectable()
export class DispatchCreated {
  constructor(
    private readonly createdJobs: CreatedJobs,
    private readonly claims: JobClaimsRepository,
    private readonly modelQueues: ModelQueueDispatch,
    private readonly routes: JobRoutes,
    private readonly submissions: Submissions,
    private readonly createPriority: CreatePriority,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Jobs that are not sent here are left to the rounds of all dispatchers. */
  async execute(onSubmitted: OnSubmitted): Promise<{ more: false }> {
    const jobs = this.createdJobs.takeAll();
    const isFew = jobs.length <= FEW && !this.createPriority.isBusy;
    const areSent = isFew && (await this.sendAll(jobs, onSubmitted));
    if (!areSent && jobs.length > 0) this.createdJobs.signalRunners();
    return { more: false };
  }

  private async sendAll(jobs: JobRow[], onSubmitted: OnSubmitted): Promise<boolean> {
    try {
      for (const job of jobs) if (!(await this.send(job, onSubmitted))) return false;
      return true;
    } catch (error) {
      this.logger.warn({ reason: String(error) }, 'accepted_jobs_not_sent');
      return false;
    }
  }

  private async send(job: JobRow, onSubmitted: OnSubmitted): Promise<boolean> {
    if (this.routes.hasFewSlots(job)) return await this.modelQueues.serveNew(job, onSubmitted);
    const budget = this.submissions.openBudget();
    const choice = await this.routes.choose({ job, failedAt: [], refusedAt: [] }, budget.full());
    return choice !== null && (await this.sendTo(choice, job, onSubmitted));
  }

  private async sendTo(choice: ChosenRoute, job: JobRow, onSubmitted: OnSubmitted): Promise<boolean> {
    const attempt = await this.claims.openIfNext(job, choice.provider.id).catch((error: unknown) => {
      this.routes.withdraw(choice);
      throw error;
    });
    if (attempt) this.submissions.begin([{ job, attempt, choice }], onSubmitted);
    else this.routes.withdraw(choice);
    return attempt !== null;
  }
}
