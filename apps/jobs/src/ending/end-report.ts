import { Injectable } from '@nestjs/common';
import { OutboxRelay } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobChanges } from '../job/job-changes';
import type { JobRow } from '../job/job.entity';
import { jobDuration, jobGpu, jobStart, jobsEnded } from '../jobs.metrics';
import { RunTimeRecorder } from '../progress/run-time-recorder';

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
    this.changes.addEnded(job.id);
    this.outbox.nudge();
    this.runTimes.add(job);
    meterEnd(job);
    this.logger.info({ job_id: job.id, status: job.status, error_code: job.error_code }, 'job_ended');
  }
}

/** Counts a job that has just ended. */
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
