import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { type CreateJobReply, type Idempotency, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';

/** Finds the job that an Idempotency-Key stands for already. */
@Injectable()
export class Replays {
  constructor(private readonly bus: Bus) {}

  /** @throws ApiError idempotency_conflict */
  async find({ account_id }: Admission, idempotency: Idempotency): Promise<CreateJobReply | null> {
    const { job } = await this.bus.request(jobsRpc.findReplay, { account_id, idempotency });
    return job && { job, replayed: true };
  }
}
