import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JOB_ERROR_CODES, type JobErrorCode } from '@kinora/contracts/shared/errors';
import { JobEnding } from '../job-ending';
import { JobRepository, type OverdueJob } from '../../job/job.repository';
import { sweepRows } from '../../job/sweep';

/** Fails and refunds jobs past their deadline: for the start while queued, for the result while processing. */
@Injectable()
export class EndOverdueJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<{ more: boolean }> {
    return await sweepRows(await this.jobs.listOverdue(), this.logger, (job) =>
      this.ending.end(job.id, { status: 'failed', error_code: reasonOf(job), gpu_ms: null }, 'timed_out'),
    );
  }
}

/**
 * The problem that has kept the job from ending, if one is known. Otherwise `capacity` if the job was never started, and
 * `provider_timeout` if it was, or if the state of its submission is unknown.
 */
function reasonOf({ status, state, problem }: OverdueJob): JobErrorCode {
  const known = JOB_ERROR_CODES.find((code) => code === problem);
  return known ?? (status === 'queued' && state !== 'unknown' ? 'capacity' : 'provider_timeout');
}
