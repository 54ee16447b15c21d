import { Injectable } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { Bus } from '@kinora/bus';
import { ObjectStoreUnavailable } from '@kinora/object-store';
import { StoredFiles } from '../attempt/stored-files';
import { EndedJobRepository } from '../ending/ended-job.repository';
import type { JobRow } from '../job/job.entity';
import { JobRepository } from '../job/job.repository';
import { JobPresenter } from '../job/job.view';

/** The steps of a deletion that a client requests. Each can be repeated. */
@Injectable()
export class JobDeletion {
  constructor(
    private readonly jobs: JobRepository,
    private readonly endedJobs: EndedJobRepository,
    private readonly files: StoredFiles,
    private readonly presenter: JobPresenter,
    private readonly bus: Bus,
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

  /**
   * Deletes the content from the deliveries of the job. The dispatcher writes the delivery, if it has none yet, and changes the
   * bodies of all. Only then is the address deleted here: a job whose event the broker has lost would otherwise send no webhook,
   * and the sweep finds a job that failed here by its address.
   * @param left the job without its content.
   * @throws ApiError capacity while the dispatcher does not answer.
   */
  async deleteFromDeliveries(left: JobRow): Promise<void> {
    if (left.webhook_url === null) return;
    await this.bus.request(webhooksRpc.deleteContent, await this.presenter.toFinished(left));
    await this.endedJobs.deleteWebhookUrl(left.id);
  }
}

function asUnavailable(error: unknown): never {
  throw error instanceof ObjectStoreUnavailable ? ApiError.unavailable('Storage') : error;
}
