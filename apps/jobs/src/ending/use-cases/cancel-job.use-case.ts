import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { JobEnding } from '../job-ending';
import { JobPresenter } from '../../job/job.view';
import { JobRepository } from '../../job/job.repository';
import { Settlement } from '../settlement';

@Injectable()
export class CancelJob {
  constructor(
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly settlement: Settlement,
    private readonly presenter: JobPresenter,
  ) {}

  /**
   * Ends a job that is in flight; returns an ended job unchanged. The hold has ended when this returns. If billing does not
   * answer, it throws `capacity`, and a repeated cancel completes the settlement.
   */
  async execute({ account_id: accountId, job_id: jobId }: JobRef): Promise<Job> {
    if (!(await this.jobs.findOfAccount(jobId, accountId))) throw new ApiError('not_found', 'There is no such job.');
    const ended = await this.ending.endUnsettled(jobId, { status: 'canceled' }, 'canceled');
    const job = ended ?? (await this.jobs.find(jobId));
    if (!job) throw new ApiError('not_found', 'There is no such job.');
    await this.settlement.settle(job);
    return this.presenter.toJob(job);
  }
}
