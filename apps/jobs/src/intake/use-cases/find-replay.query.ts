import { Injectable } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import type { Idempotency } from '@kinora/contracts/jobs/jobs.rpc';
import { IdempotencyKeys } from '../idempotency-keys';

/** The job that an Idempotency-Key is bound to. It depends on route, key and body only, so a replay works after any change. */
@Injectable()
export class FindReplay {
  constructor(private readonly keys: IdempotencyKeys) {}

  async execute(request: { account_id: string; idempotency: Idempotency }): Promise<{ job: Job | null }> {
    return { job: await this.keys.find(request.account_id, request.idempotency) };
  }
}
