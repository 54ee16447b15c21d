import { Injectable } from '@nestjs/common';
import type { KnownHold } from '@kinora/contracts/billing/billing.rpc';
import { HoldRepository } from '../../wallet/hold.repository';

/** Tells how the holds of some jobs stand, for whoever owns the jobs to compare. */
@Injectable()
export class FindHolds {
  constructor(private readonly holds: HoldRepository) {}

  async execute({ job_ids }: { job_ids: string[] }): Promise<{ holds: KnownHold[] }> {
    return { holds: await this.holds.find(job_ids) };
  }
}
