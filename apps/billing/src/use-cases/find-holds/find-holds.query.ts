import { Injectable } from '@nestjs/common';
import type { KnownHold } from '@kinora/contracts/billing/billing.rpc';
import { HoldRepository } from '../../wallet/hold.repository';

/** Returns the states of holds by job, so that the jobs service can compare them with its jobs. */
@Injectable()
export class FindHolds {
  constructor(private readonly holds: HoldRepository) {}

  async execute({ job_ids }: { job_ids: string[] }): Promise<{ holds: KnownHold[] }> {
    return { holds: await this.holds.find(job_ids) };
  }
}
