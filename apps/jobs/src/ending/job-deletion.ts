import { Injectable } from '@nestjs/common';
import { ObjectStoreUnavailable } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { JobRow } from '../job/job.entity';
import { JobRepository } from '../job/job.repository';
import { JobPresenter } from '../job/job.view';
import { StoredFiles } from '../output/stored-files';
import { DeletionRepository } from './deletion.repository';
import { EndedJobRepository } from './ended-job.repository';

/** The steps of a deletion that a client requests. Each can be repeated. */
@Injectable()
export class JobDeletion {
  constructor(
    private readonly jobs: JobRepository,
    private readonly deletions: DeletionRepository,
    private readonly endedJobs: EndedJobRepository,
    private readonly files: StoredFiles,
    private readonly presenter: JobPresenter,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws ApiError not_found for another account's job, job_in_flight for one that has not ended. */
  async begin({ account_id: accountId, job_id: jobId }: JobRef): Promise<JobRow> {
    const ended = await this.deletions.request(jobId, accountId);
    if (ended) return ended;
    if (!(await this.jobs.findOfAccount(jobId, accountId))) throw new ApiError('not_found', 'There is no such job.');
    throw new ApiError('job_in_flight', 'The job is in flight. Wait for its end, or cancel it first.');
  }

  /**
   * Deletes the inputs and all outputs, also on a repeat: a restored store may have them again.
   * @throws ApiError capacity while the store does not answer.
   */
  async deleteFiles(job: JobRow): Promise<Job> {
    await this.files.clearAwayAfter(job).catch(asUnavailable);
    await this.files.deleteOutputs(job).catch(asUnavailable);
    if (job.output) await this.endedJobs.markOutputsDeleted(job.id);
    // After a restore, operators repeat the deletions that the log has and the rows have not.
    this.logger.info({ job_id: job.id, account_id: job.account_id }, 'job_outputs_deleted');
    return this.presenter.toJob(job);
  }
}

function asUnavailable(error: unknown): never {
  throw error instanceof ObjectStoreUnavailable ? ApiError.unavailable('Storage') : error;
}
