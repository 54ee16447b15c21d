import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { AttemptLeases } from '../../attempt/attempt-leases';
import { AttemptRepository } from '../../attempt/attempt.repository';
import { Submission } from '../../attempt/submission';
import { JobRepository } from '../../job/job.repository';
import type { JobRow } from '../../job/job.row';
import type { ComputeProvider } from '../../providers/compute-provider.port';
import { ProviderLoad } from '../../providers/provider-load';
import { SubmitAttempt } from './submit-attempt';

/** Requests under way to a provider at once: enough to hide the round trip, few enough to keep images out of memory. */
const SLOTS = 32;
/** How long the end of the process waits for requests that are not as long as the work itself. */
const DRAIN_MS = 3_000;

/** Takes waiting jobs of one provider and submits them. */
@Injectable()
export class DispatchJobs {
  private readonly underWay = new Map<Submission, Promise<void>>();

  constructor(
    private readonly attempts: AttemptRepository,
    private readonly leases: AttemptLeases,
    private readonly load: ProviderLoad,
    private readonly jobs: JobRepository,
    private readonly submitAttempt: SubmitAttempt,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Fills the free slots and does not wait for them; `onTaken` is told of each job that the provider has taken. */
  async execute(provider: ComputeProvider, onTaken: () => void): Promise<void> {
    const room = Math.min(this.freeSlots(provider), await this.load.room(provider));
    if (room <= 0) return;
    const attempts = await this.attempts.open(provider.id, room);
    if (attempts.length === 0) return;
    crashPoint('jobs.run.attempt_written');
    this.load.add(provider, attempts.length);
    const jobs = new Map((await this.jobs.findMany(attempts.map(({ job_id }) => job_id))).map((job) => [job.id, job]));
    for (const attempt of attempts) {
      const job = jobs.get(attempt.job_id);
      if (job) this.submit(new Submission(provider, attempt, this.leases.hold(attempt)), job, onTaken);
    }
  }

  /** Resolves when nothing is under way any more. Nobody waits for answers that are as far away as the results. */
  async drain(): Promise<void> {
    const all = Promise.all(this.underWay.values());
    for (const submission of this.underWay.keys()) if (submission.hasBegun) submission.giveUp();
    const giveUpRest = setTimeout(() => {
      for (const submission of this.underWay.keys()) submission.giveUp();
    }, DRAIN_MS);
    await all;
    clearTimeout(giveUpRest);
  }

  /** A submission that has begun has its place in the provider's own bound, and sends nothing any more. */
  private freeSlots(provider: ComputeProvider): number {
    const sending = [...this.underWay.keys()].filter((one) => one.provider === provider && !one.hasBegun);
    return SLOTS - sending.length;
  }

  private submit(submission: Submission, job: JobRow, onTaken: () => void): void {
    const done = this.submitAttempt
      .execute(submission, job)
      .catch((error: unknown) => {
        this.logger.error({ job_id: job.id, reason: String(error) }, 'job_not_submitted');
        return false;
      })
      .then((isTaken) => {
        submission.lease.release();
        // The slot is free before anybody is told, or whoever comes for it would find it taken and wait for the poll.
        this.underWay.delete(submission);
        if (isTaken) onTaken();
      });
    this.underWay.set(submission, done);
  }
}
