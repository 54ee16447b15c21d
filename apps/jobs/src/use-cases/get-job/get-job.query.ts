import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { InlinePoll } from '../../polling/inline-poll';
import { JobPresenter } from '../../job/job.view';
import { JobRepository } from '../../job/job.repository';

/** Bounds the inline poll: a read with a slow provider returns the last known state. */
const RECONCILE_BUDGET_MS = 2_000;

@Injectable()
export class GetJob {
  constructor(
    private readonly jobs: JobRepository,
    private readonly inlinePoll: InlinePoll,
    private readonly presenter: JobPresenter,
  ) {}

  /** The account's job. A job of another account counts as not found. @throws ApiError not_found */
  async execute({ account_id: accountId, job_id: jobId }: JobRef): Promise<Job> {
    const known = await this.jobs.findOfAccount(jobId, accountId);
    if (!known) throw new ApiError('not_found', 'There is no such job.');
    const reconciled = known.isPollDue && (await this.inlinePoll.reconcile(jobId, RECONCILE_BUDGET_MS));
    // The poll is optional: if the second read fails, the job from the first read is returned.
    const changed = reconciled ? await this.jobs.find(jobId).catch(() => null) : null;
    return this.presenter.toJob(changed ?? known.job);
  }
}
