import { Injectable } from '@nestjs/common';
import type { OpenHold, OpenHoldsRequest } from '@kinora/contracts/billing/billing.rpc';
import { HoldRepository } from '../../wallet/hold.repository';

/** Lists holds that are open for long, so that the jobs service can end those whose job was never created. */
@Injectable()
export class ListOpenHolds {
  constructor(private readonly holds: HoldRepository) {}

  async execute(request: OpenHoldsRequest): Promise<{ holds: OpenHold[] }> {
    return { holds: await this.holds.listOpen(request) };
  }
}
