import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { validate as isUuid } from 'uuid';
import type { Job } from '@kinora/contracts/jobs/job';
import { JobPresenter } from '../../job/job-presenter';
import { JobRepository } from '../../job/job.repository';

@Injectable()
export class ShowJob {
  constructor(
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /** One job of any account, for operators. @throws ApiError not_found */
  async execute({ job_id: jobId }: { job_id: string }): Promise<{ account_id: string; job: Job }> {
    const job = isUuid(jobId) ? await this.jobs.find(jobId) : null;
    if (!job) throw new ApiError('not_found', 'There is no such job.');
    return { account_id: job.account_id, job: await this.presenter.toJob(job) };
  }
}
