import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { validate as isUuid } from 'uuid';
import type { JobHistory } from '@kinora/contracts/jobs/job-history';
import { AttemptCancelRepository } from '../../attempt/attempt-cancel.repository';
import { AttemptRepository } from '../../attempt/attempt.repository';
import { JobPresenter } from '../../job/job.view';
import { JobRepository } from '../../job/job.repository';
import { ReceiptRowRepository } from '../../receipt/receipt.repository';
import { toReceiptPrice } from '../../receipt/receipt.view';

@Injectable()
export class ShowJob {
  constructor(
    private readonly jobs: JobRepository,
    private readonly attempts: AttemptRepository,
    private readonly cancels: AttemptCancelRepository,
    private readonly receipts: ReceiptRowRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /** One job of any account, for operators. @throws ApiError not_found */
  async execute({ job_id: jobId }: { job_id: string }): Promise<JobHistory> {
    const job = isUuid(jobId) ? await this.jobs.find(jobId) : null;
    if (!job) throw new ApiError('not_found', 'There is no such job.');
    const [shown, attempts, canceled_work, stated] = await Promise.all([
      this.presenter.toJob(job),
      this.attempts.list(job.id),
      this.cancels.findCanceledWork(job.account_id),
      this.receipts.find(job.id, job.account_id),
    ]);
    const price = stated && toReceiptPrice(stated);
    return { account_id: job.account_id, job: shown, attempts, canceled_work, ...(price && { price }) };
  }
}
