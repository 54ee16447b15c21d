import { Injectable } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import type { GetJobRequest, JobRef, OutputFile } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { JobRepository } from '../../job/job.repository';
import { JobPresenter } from '../../job/job.view';
import { InlinePoll } from '../../polling/attempt-poller';

/** Bounds the inline poll: a read with a slow provider returns the last known state. */
const RECONCILE_BUDGET_MS = 2_000;

@Injectable()
export class GetJob {
  constructor(
    private readonly jobs: JobRepository,
    private readonly inlinePoll: InlinePoll,
    private readonly presenter: JobPresenter,
  ) {}

  /** A job of another account counts as not found. */
  async execute({ job_id, account_id, unless_content_deleted }: GetJobRequest): Promise<Job> {
    const found = await this.jobs.findOfAccount(job_id, account_id);
    if (!found || (unless_content_deleted && found.job.content_deleted_at))
      throw new ApiError('not_found', 'There is no such job.');
    const reconciled = found.isPollDue && (await this.inlinePoll.reconcile(job_id, RECONCILE_BUDGET_MS));
    // The poll is optional: if the second read fails, the job from the first read is returned.
    const changed = reconciled ? await this.jobs.find(job_id).catch(() => null) : null;
    return this.presenter.toJob(changed ?? found.job);
  }
}

/** The stored files of a job, in the order of its outputs. A job of another account counts as not found. */
@Injectable()
export class ListOutputFiles {
  constructor(private readonly jobs: JobRepository) {}

  async execute({ account_id, job_id }: JobRef): Promise<{ files: OutputFile[] }> {
    const found = await this.jobs.findOfAccount(job_id, account_id);
    if (!found) throw new ApiError('not_found', 'There is no such job.');
    const outputs = found.job.output ?? [];
    return { files: outputs.map(({ object_key, mime, bytes }) => ({ object_key, mime, bytes })) };
  }
}
