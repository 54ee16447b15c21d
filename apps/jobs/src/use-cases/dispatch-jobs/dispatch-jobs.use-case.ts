import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { type SpanShape, inTrace } from '@kinora/tracing';
import { AttemptLeases } from '../../attempt/attempt-leases';
import { JobClaimsRepository, type LaneHead } from '../../attempt/job-claims.repository';
import { RightOfWay } from '../../attempt/right-of-way';
import { Submission } from '../../attempt/submission';
import type { JobRow } from '../../job/job.row';
import { ProviderRegistry } from '../../providers/provider-registry';
import { JobRoutes, type WaitingJob } from '../../routing/job-routes';
import type { ChosenRoute } from '../../routing/router';
import { SubmissionSlots, type SubmissionTurn } from './submission-slots';
import { SubmitAttempt } from './submit-attempt';

/** Of one lane at a time, so that a long one does not take every slot before another has had its turn. */
const MAX_CLAIMS = 16;
/** How long the end of the process waits for requests that are not as long as the work itself. */
const DRAIN_MS = 3_000;

const SUBMITTING: SpanShape = { kind: 'internal' };

/** Takes waiting jobs, lane after lane, and submits each to an instance that has room. */
@Injectable()
export class DispatchJobs {
  private readonly slots = new SubmissionSlots();
  private rounds = 0;

  constructor(
    private readonly claims: JobClaimsRepository,
    private readonly routes: JobRoutes,
    private readonly providers: ProviderRegistry,
    private readonly leases: AttemptLeases,
    private readonly submitAttempt: SubmitAttempt,
    private readonly rightOfWay: RightOfWay,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Fills free slots and does not wait for them; `onDone` is told of each submission, and whether it was taken. */
  async execute(onDone: (isTaken: boolean) => void): Promise<{ more: boolean }> {
    await this.rightOfWay.giveWay();
    const lanes = await this.claims.listLanes();
    const first = this.rounds++ % Math.max(lanes.length, 1);
    let claimed = 0;
    for (const lane of [...lanes.slice(first), ...lanes.slice(0, first)])
      claimed += await this.claim(lane, onDone).catch((error: unknown) => this.passOver(lane, error));
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
  private async claim(head: LaneHead, onDone: (isTaken: boolean) => void): Promise<number> {
    const turn = this.slots.newTurn(this.providers.list().map(({ id }) => id));
    const room = Math.min(await this.routes.room(head), turn.free(), MAX_CLAIMS);
    if (room <= 0) return 0;
    const claimed = await this.claims.open(head.model, room, (waiting) => this.choose(waiting, turn), {
      inTurn: this.routes.hasFewPlaces(head),
      giveBack: (choice) => this.routes.withdraw(choice),
    });
    if (claimed.length === 0) return 0;
    crashPoint('jobs.run.attempt_written');
    for (const { job, attempt, choice } of claimed)
      this.submit(new Submission(choice, attempt, this.leases.hold(attempt)), job, onDone);
    return claimed.length;
  }

  /** Whatever keeps a lane from being served, such as somebody who holds a row of it, the others are served. */
  private passOver({ model }: LaneHead, error: unknown): 0 {
    this.logger.warn({ model, reason: String(error) }, 'lane_not_served');
    return 0;
  }

  private async choose(waiting: WaitingJob, turn: SubmissionTurn): Promise<ChosenRoute | 'stays' | 'steps_aside'> {
    const choice = await this.routes.choose(waiting, turn.full());
    if (choice) {
      turn.take(choice.provider.id);
      return choice;
    }
    // Where there is room, but not for this one, those behind it must not wait with it.
    return (await this.routes.room(waiting.job)) > 0 ? 'steps_aside' : 'stays';
  }

  private submit(submission: Submission, job: JobRow, onDone: (isTaken: boolean) => void): void {
    const { provider, attempt } = submission;
    const done = inTrace(job.traceparent, 'submit_attempt', SUBMITTING, (span) => {
      span.set({ 'kinora.job_id': job.id, 'kinora.provider': provider.id, 'kinora.attempt': attempt.number });
      return this.submitAttempt.execute(submission, job);
    })
      .catch((error: unknown) => {
        this.logger.error({ job_id: job.id, reason: String(error) }, 'job_not_submitted');
        return false;
      })
      .finally(() => submission.lease.release());
    this.slots.occupy(submission, done, onDone);
  }
}
