import { Injectable } from '@nestjs/common';
import { isInFlight } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { EtaEstimator } from '../eta-estimator';
import { JobProgressRepository } from '../job-progress.repository';

@Injectable()
export class GetProgress {
  constructor(
    private readonly progress: JobProgressRepository,
    private readonly estimator: EtaEstimator,
  ) {}

  /** A job of another account counts as not found. */
  async execute({ job_id, account_id }: JobRef): Promise<JobProgress> {
    const row = await this.progress.find(job_id);
    if (row?.account_id !== account_id) throw new ApiError('not_found', 'There is no such job.');
    const position = row.status === 'queued' ? await this.estimator.positionOf(row) : null;
    return {
      object: 'job.progress',
      job_id: row.id,
      status: row.status,
      progress: row.progress === null ? null : toWholePercents(row.progress),
      queue_position: position,
      eta_seconds: isInFlight(row.status) ? await this.estimator.secondsLeft(row, position) : null,
      updated_at: row.updated_at.toISOString(),
    };
  }
}

/** The column has four bytes, so that 0.32 is read as 0.3199999928474426. */
function toWholePercents(progress: number): number {
  return Math.round(progress * 100) / 100;
}
