import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { AttemptLeases } from '../../attempt/attempt-leases';
import { JobClaimsRepository } from '../../attempt/job-claims.repository';
import { Submission } from '../../attempt/submission';
import type { JobRow } from '../../job/job.row';
import { ProviderLoad } from '../../providers/provider-load';
import { ProviderRegistry } from '../../providers/provider-registry';
import { JobRoutes } from '../../routing/job-routes';
import { SubmissionSlots } from './submission-slots';
import { SubmitAttempt } from './submit-attempt';

/** Of one lane at a time, so that a long one does not take every slot before another has had its turn. */
const MAX_CLAIMS = 16;
/** How long the end of the process waits for requests that are not as long as the work itself. */
const DRAIN_MS = 3_000;

/** Takes waiting jobs, lane after lane, and submits each to an instance that has room. */
@Injectable()
export class DispatchJobs {
  private readonly slots = new SubmissionSlots();
  private rounds = 0;

  constructor(
    private readonly claims: JobClaimsRepository,
    private readonly routes: JobRoutes,
    private readonly providers: ProviderRegistry,
    private readonly load: ProviderLoad,
    private readonly leases: AttemptLeases,
    private readonly submitAttempt: SubmitAttempt,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Fills free slots and does not wait for them; `onDone` is told of each submission, and whether it was taken. */
  async execute(onDone: (isTaken: boolean) => void): Promise<{ more: boolean }> {
    const lanes = await this.claims.listLanes();
    const first = this.rounds++ % Math.max(lanes.length, 1);
    let claimed = 0;
    for (const model of [...lanes.slice(first), ...lanes.slice(0, first)]) claimed += await this.claim(model, onDone);
    return { more: claimed > 0 };
  }

  /** Resolves when nothing is under way any more. Nobody waits for answers that are as far away as the results. */
  async drain(): Promise<void> {
    const allDone = this.slots.allDone();
    this.slots.giveUp(({ hasBegun }) => hasBegun);
    const giveUpRest = setTimeout(() => this.slots.giveUp(() => true), DRAIN_MS);
    await allDone;
    clearTimeout(giveUpRest);
  }

  /** The number of jobs of the lane that are on their way now. */
  private async claim(model: string, onDone: (isTaken: boolean) => void): Promise<number> {
    const turn = this.slots.newTurn(this.providers.list().map(({ id }) => id));
    const room = Math.min(await this.routes.room(model), turn.free(), MAX_CLAIMS);
    if (room <= 0) return 0;
    const claimed = await this.claims.open(model, room, ({ job, failedAt }) => {
      const choice = this.routes.choose(job, [...failedAt, ...turn.full()]);
      if (!choice) return null;
      // At once, so that the next choice knows of it. A transaction that runs again counts twice, until the next count.
      turn.take(choice.provider.id);
      this.load.add(choice.provider, 1);
      return choice;
    });
    if (claimed.length === 0) return 0;
    crashPoint('jobs.run.attempt_written');
    for (const { job, attempt, choice } of claimed)
      this.submit(new Submission(choice.provider, attempt, this.leases.hold(attempt)), job, onDone);
    return claimed.length;
  }

  private submit(submission: Submission, job: JobRow, onDone: (isTaken: boolean) => void): void {
    const done = this.submitAttempt
      .execute(submission, job)
      .catch((error: unknown) => {
        this.logger.error({ job_id: job.id, reason: String(error) }, 'job_not_submitted');
        return false;
      })
      .finally(() => submission.lease.release());
    this.slots.occupy(submission, done, onDone);
  }
}
