import { Injectable } from '@nestjs/common';
import { type QueueHead, QueueHeadsRepository } from '../scheduling/queue-heads.repository';
import { JobClaimsRepository } from './job-claims.repository';
import { JobRoutes, type WaitingJob } from '../routing/job-routes';
import type { ChosenRoute } from '../routing/router';
import type { OnSubmitted, SubmissionBudget } from './submission';
import { ScheduledDispatch } from './scheduled-dispatch';
import { Submissions } from './submissions';

/** The limit for one queue in a round, so that a long queue does not take every slot. */
const MAX_CLAIMS = 16;

/** Claims the next jobs of one queue, and submits each to an instance that has room. */
@Injectable()
export class ModelQueueDispatch {
  constructor(
    private readonly claims: JobClaimsRepository,
    private readonly heads: QueueHeadsRepository,
    private readonly routes: JobRoutes,
    private readonly submissions: Submissions,
    private readonly scheduled: ScheduledDispatch,
  ) {}

  /** Returns the number of submitted jobs, and whether a provider had no free slot. Nothing is sent to the `closed` ones. */
  async serve(
    queueHead: QueueHead,
    onSubmitted: OnSubmitted,
    closed: readonly string[] = [],
  ): Promise<{ claimed: number; needsSlot: boolean }> {
    const head = without(queueHead, closed);
    const budget = this.submissions.openBudget();
    const needsSlot = budget.full().length > 0;
    const room = Math.min(await this.claimable(head), budget.free(), MAX_CLAIMS);
    if (room <= 0) return { claimed: 0, needsSlot };
    const claimed = await this.claims.open(
      head.model,
      room,
      (waiting) => this.choose({ ...waiting, job: without(waiting.job, closed) }, budget),
      {
        isExclusive: this.routes.hasFewSlots(head),
        release: (choice) => this.routes.withdraw(choice),
      },
    );
    this.submissions.begin(claimed, onSubmitted);
    return { claimed: claimed.length, needsSlot };
  }

  /** Serves the queue of a job that was just created. False if nothing of it could be sent. */
  async serveNew(job: QueueHead, onSubmitted: OnSubmitted): Promise<boolean> {
    if (this.routes.loadingRoutes(job).length === 0) return (await this.serve(job, onSubmitted)).claimed > 0;
    const heads = await this.heads.list();
    const models = heads.map((head) => ({ model: head.model, routes: this.routes.loadingRoutes(head) }));
    return (await this.scheduled.serve(models, onSubmitted)).claimed > 0;
  }

  /** If there is room only for accounts without tasks, their jobs are searched among the next of the queue. */
  private async claimable(head: QueueHead): Promise<number> {
    const room = await this.routes.commonRoom(head);
    return room <= 0 && (await this.routes.newcomerRoom(head)) > 0 ? MAX_CLAIMS : room;
  }

  private async choose(waiting: WaitingJob, budget: SubmissionBudget): Promise<ChosenRoute | 'keep' | 'postpone'> {
    const choice = await this.routes.choose(waiting, budget.full());
    if (choice) {
      budget.take(choice.provider.id);
      return choice;
    }
    // If there is room, but not for this job, it is postponed, so that it does not block the jobs behind it.
    return (await this.routes.room(waiting.job)) > 0 ? 'postpone' : 'keep';
  }
}

function without<Job extends Pick<QueueHead, 'plan'>>(job: Job, closed: readonly string[]): Job {
  if (closed.length === 0) return job;
  return {
    ...job,
    plan: { ...job.plan, routes: job.plan.routes.filter(({ provider }) => !closed.includes(provider)) },
  };
}
