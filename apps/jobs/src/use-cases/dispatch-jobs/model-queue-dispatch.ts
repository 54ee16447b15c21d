import { Injectable } from '@nestjs/common';
import { JobClaimsRepository, type QueueHead } from '../../queue/job-claims.repository';
import { JobRoutes, type WaitingJob } from '../../routing/job-routes';
import type { ChosenRoute } from '../../routing/router';
import type { OnSubmitted, SubmissionBudget } from './submission-limit';
import { Submissions } from './submissions';

/** Of one queue at a time, so that a long one does not take every slot before another has had its turn. */
const MAX_CLAIMS = 16;

/** Takes the jobs that are next in one queue, and submits each to an instance that has room. */
@Injectable()
export class ModelQueueDispatch {
  constructor(
    private readonly claims: JobClaimsRepository,
    private readonly routes: JobRoutes,
    private readonly submissions: Submissions,
  ) {}

  /** The number of jobs that are on their way now, and whether there was a provider to which no more can be sent at once. */
  async serve(head: QueueHead, onSubmitted: OnSubmitted): Promise<{ claimed: number; needsSlot: boolean }> {
    const budget = this.submissions.openBudget();
    const needsSlot = budget.full().length > 0;
    const room = Math.min(await this.claimable(head), budget.free(), MAX_CLAIMS);
    if (room <= 0) return { claimed: 0, needsSlot };
    const claimed = await this.claims.open(head.model, room, (waiting) => this.choose(waiting, budget), {
      isExclusive: this.routes.hasFewSlots(head),
      release: (choice) => this.routes.withdraw(choice),
    });
    this.submissions.begin(claimed, onSubmitted);
    return { claimed: claimed.length, needsSlot };
  }

  /** Where there is room only for accounts that have nothing under way, those are looked for among the next of the queue. */
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
    // Where there is room, but not for this one, those behind it must not wait with it.
    return (await this.routes.room(waiting.job)) > 0 ? 'postpone' : 'keep';
  }
}
