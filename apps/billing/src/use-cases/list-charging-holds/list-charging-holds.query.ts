import { Injectable } from '@nestjs/common';
import type { ChargingHoldsRequest, KnownHold } from '@kinora/contracts/billing/billing.rpc';
import { HoldRepository } from '../../wallet/hold.repository';

/** Lists holds that are captured or open for long, so that the jobs service can check each for its job. */
@Injectable()
export class ListChargingHolds {
  constructor(private readonly holds: HoldRepository) {}

  async execute(request: ChargingHoldsRequest): Promise<{ holds: KnownHold[] }> {
    return { holds: await this.holds.listCharging(request) };
  }
}
