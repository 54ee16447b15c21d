import { Injectable } from '@nestjs/common';
import { Database, type Queryable, appendToOutbox } from '@kinora/database';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { jobsEvents } from '@kinora/contracts/jobs/jobs.events';
import type { AttemptClaim, AttemptEnd, AttemptOutcome } from '../attempt/attempt.row';
import { AttemptLeaseLost, AttemptRepository } from '../attempt/attempt.repository';
import { JobPresenter } from '../job/job.view';
import { JobRepository } from '../job/job.repository';
import type { JobRow } from '../job/job.entity';
import type { JobEnd } from '../job/job-status';
import { EndReport } from './end-report';
import { Settlement } from './settlement';

/** Ends jobs. One transaction writes the terminal state, the end of the attempt and the event; the settlement follows at once. */
@Injectable()
export class JobEnding {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobRepository,
    private readonly attempts: AttemptRepository,
    private readonly settlement: Settlement,
    private readonly presenter: JobPresenter,
    private readonly report: EndReport,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Ends a job from outside of its attempt (cancel, deadline). Null if it has already ended. */
  async end(jobId: string, end: JobEnd, outcome: AttemptOutcome): Promise<JobRow | null> {
    const ended = await this.endUnsettled(jobId, end, outcome);
    if (ended) await this.settle(ended);
    return ended;
  }

  /** As `end`, for a caller that settles the job itself. */
  async endUnsettled(jobId: string, end: JobEnd, outcome: AttemptOutcome): Promise<JobRow | null> {
    const ended = await this.database.transaction(async (transaction) => {
      const job = await this.endInTransaction(transaction, jobId, end);
      if (job) await this.attempts.closeOfJob(transaction, jobId, outcome);
      return job;
    });
    if (ended) this.publish(ended);
    return ended;
  }

  /** Ends a job as the holder of its attempt. Null if the job has already ended, or another process has claimed the attempt. */
  async endByAttempt(
    claim: AttemptClaim,
    end: JobEnd,
    { outcome, reason }: Omit<AttemptEnd, 'gpuMs'>,
  ): Promise<JobRow | null> {
    try {
      const job = await this.database.transaction(async (transaction) => {
        const ended = await this.endInTransaction(transaction, claim.job_id, end);
        const gpuMs = end.status === 'canceled' ? null : end.gpu_ms;
        if (ended && !(await this.attempts.close(transaction, claim, { outcome, gpuMs, reason })))
          throw new AttemptLeaseLost();
        return ended;
      });
      if (job) {
        this.publish(job);
        await this.settle(job);
      }
      return job;
    } catch (error) {
      if (error instanceof AttemptLeaseLost) return null;
      throw error;
    }
  }

  private async endInTransaction(transaction: Queryable, jobId: string, end: JobEnd): Promise<JobRow | null> {
    const job = await this.jobs.end(transaction, jobId, end);
    if (job)
      await appendToOutbox(transaction, jobsEvents.finished, await this.presenter.toFinished(job), job.traceparent);
    crashPoint('jobs.end.before_commit');
    return job;
  }

  private publish(job: JobRow): void {
    crashPoint('jobs.end.committed');
    this.report.publish(job);
  }

  /** The sweepers repeat what fails here until it succeeds. */
  private async settle(job: JobRow): Promise<void> {
    try {
      await this.settlement.settle(job);
    } catch (error) {
      this.logger.warn({ job_id: job.id, reason: String(error) }, 'job_settlement_postponed');
    }
  }
}
