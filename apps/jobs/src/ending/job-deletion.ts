import { Injectable } from '@nestjs/common';
import { ObjectStoreUnavailable } from '@kinora/object-store';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { JobRow } from '../job/job.entity';
import { JobRepository } from '../job/job.repository';
import { JobPresenter } from '../job/job.view';
import { StoredFiles } from '../output/stored-files';
import { EndedJobRepository } from './ended-job.repository';

/** The steps of a deletion that a client requests. Each can be repeated. */
@Injectable()
export class JobDeletion {
  constructor(
    private readonly jobs: JobRepository,
    private readonly endedJobs: EndedJobRepository,
    private readonly files: StoredFiles,
    private readonly presenter: JobPresenter,
  ) {}

  /** @throws ApiError not_found for another account's job, job_in_flight for one that has not ended. */
  async findEnded({ account_id: accountId, job_id: jobId }: JobRef): Promise<JobRow> {
    const job = await this.jobs.find(jobId);
    if (job?.account_id !== accountId) throw new ApiError('not_found', 'There is no such job.');
    if (job.completed_at === null)
      throw new ApiError('job_in_flight', 'The job is in flight. Wait for its end, or cancel it first.');
    return job;
  }

  /**
   * Deletes the inputs and all outputs, also on a repeat: a restored store may have them again.
   * @throws ApiError capacity while the store does not answer.
   */
  async deleteFiles(job: JobRow): Promise<Job> {
    await this.files.clearAwayAfter(job).catch(asUnavailable);
    await this.files.deleteOutputs(job).catch(asUnavailable);
    if (job.output) await this.endedJobs.markOutputsDeleted(job.id);
    return this.presenter.toJob(job);
  }
}

function asUnavailable(error: unknown): never {
  throw error instanceof ObjectStoreUnavailable ? ApiError.unavailable('Storage') : error;
}
