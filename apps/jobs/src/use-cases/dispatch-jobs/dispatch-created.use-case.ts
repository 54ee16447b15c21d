import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { CreatedJobs } from '../../queue/created-jobs';
import { JobClaimsRepository } from '../../queue/job-claims.repository';
import { CreatePriority } from '../../queue/create-priority';
import type { JobRow } from '../../job/job.entity';
import { JobRoutes } from '../../routing/job-routes';
import type { ChosenRoute } from '../../routing/router';
import { ModelQueueDispatch } from './model-queue-dispatch';
import type { OnSubmitted } from './submission-limit';
import { Submissions } from './submissions';

/** Of more than so many at once some would wait for the others; sets are made of them in the rounds. */
const FEW = 16;

/**
 * Submits what this very process has accepted, while accepts are few: such a job is nearly always the next of its queue, and
 * what there is to know of it is known. One statement then says that it is, claims it, and opens its attempt.
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

  /** Whatever is not sent from here is left to the rounds of all runners. */
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
    if (this.routes.hasFewSlots(job)) return (await this.modelQueues.serve(job, onSubmitted)).claimed > 0;
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
