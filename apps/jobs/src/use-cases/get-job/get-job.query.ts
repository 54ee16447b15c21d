import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { InlinePoll } from '../../polling/inline-poll';
import { JobPresenter } from '../../job/job.view';
import { JobRepository } from '../../job/job.repository';

/** A slow provider must not make a slow read: past this, the state that we know is the answer. */
const RECONCILE_BUDGET_MS = 2_000;

@Injectable()
export class GetJob {
  constructor(
    private readonly jobs: JobRepository,
    private readonly inlinePoll: InlinePoll,
    private readonly presenter: JobPresenter,
  ) {}

  /** The account's job; another account's is as unknown as none. @throws ApiError not_found */
  async execute({ account_id: accountId, job_id: jobId }: JobRef): Promise<Job> {
    const known = await this.jobs.findOfAccount(jobId, accountId);
    if (!known) throw new ApiError('not_found', 'There is no such job.');
    const reconciled = known.isPollDue && (await this.inlinePoll.reconcile(jobId, RECONCILE_BUDGET_MS));
    // The look was a favour: what was read before it is an answer too, whatever becomes of reading once more.
    const changed = reconciled ? await this.jobs.find(jobId).catch(() => null) : null;
    return this.presenter.toJob(changed ?? known.job);
  }
}
