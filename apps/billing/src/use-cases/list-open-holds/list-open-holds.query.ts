import { Injectable } from '@nestjs/common';
import type { OpenHold, OpenHoldsRequest } from '@kinora/contracts/billing/billing.rpc';
import { HoldRepository } from '../../wallet/hold.repository';

/** Lists what has been held for long, so that whoever owns the jobs can end the holds of jobs that never came to be. */
@Injectable()
export class ListOpenHolds {
  constructor(private readonly holds: HoldRepository) {}

  async execute(request: OpenHoldsRequest): Promise<{ holds: OpenHold[] }> {
    return { holds: await this.holds.listOpen(request) };
  }
}
