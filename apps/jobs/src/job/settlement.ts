import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { JobRepository } from './job.repository';
import type { JobRow } from './job.row';

/** Ends the hold of an ended job: a capture if and only if it succeeded. */
@Injectable()
export class Settlement {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobRepository,
  ) {}

  /** Safe to repeat; billing knows a job's hold by the job's id and ends it once. @throws ApiError capacity */
  async settle(job: JobRow): Promise<void> {
    if (job.settled_at) return;
    const contract = job.status === 'succeeded' ? billingRpc.capture : billingRpc.refund;
    await this.bus.request(contract, { job_id: job.id });
    await this.jobs.markSettled(job.id);
  }
}
