import { Injectable } from '@nestjs/common';
import { jobsEvents } from '@kinora/contracts/jobs/jobs.events';
import { appendToOutbox, Database, OutboxRelay, type Queryable } from '@kinora/database';
import { crashPoint, InjectLogger, type Logger } from '@kinora/service-kit';
import { AttemptLeaseLost, AttemptRepository } from '../attempt/attempt.repository';
import type { AttemptClaim, AttemptEnd, AttemptOutcome } from '../attempt/attempt.row';
import { JobChanges } from '../job/job-changes';
import type { JobEnd } from '../job/job-status';
import type { JobRow } from '../job/job.entity';
import { JobRepository } from '../job/job.repository';
import { JobPresenter } from '../job/job.view';
import { jobDuration, jobGpu, jobsEnded, jobStart } from '../jobs.metrics';
import { RunTimeRecorder } from '../progress/run-time.repository';
import { Settlement } from './settlement';

/** Reports the end of a job after its commit: to gateways, to the outbox relay, to the statistics and to the log. */
@Injectable()
export class EndReport {
  constructor(
    private readonly changes: JobChanges,
    private readonly outbox: OutboxRelay,
    private readonly runTimes: RunTimeRecorder,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  publish(job: JobRow): void {
    this.changes.addEnded(job.id, job.account_id);
    this.outbox.nudge();
    this.runTimes.add(job);
    meterEnd(job);
    this.logger.info({ job_id: job.id, status: job.status, error_code: job.error_code }, 'job_ended');
  }
}

function meterEnd({ model, status, error_code, created_at, started_at, completed_at, gpu_ms }: JobRow): void {
  jobsEnded.inc({ model, status, error: error_code ?? 'none' });
  if (completed_at === null) return;
  const secondsUntil = (moment: Date): number => (moment.getTime() - created_at.getTime()) / 1_000;
  jobDuration.of({ model, status }).observe(secondsUntil(completed_at));
  // A job that was canceled before its start is no sample of the waiting time.
  const waitedUntil = started_at ?? (status === 'canceled' ? null : completed_at);
  if (waitedUntil) jobStart.of({ model }).observe(secondsUntil(waitedUntil));
  if (gpu_ms !== null) jobGpu.inc({ model }, gpu_ms / 1_000);
}

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
