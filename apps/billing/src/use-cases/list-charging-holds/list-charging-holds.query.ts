import { Injectable } from '@nestjs/common';
import type { ChargingHoldsRequest, KnownHold } from '@kinora/contracts/billing/billing.rpc';
import { HoldRepository } from '../../wallet/hold.repository';

/** Lists what accounts have been charged, or kept from spending for long, so that each can be asked for its job. */
@Injectable()
export class ListChargingHolds {
  constructor(private readonly holds: HoldRepository) {}

  async execute(request: ChargingHoldsRequest): Promise<{ holds: KnownHold[] }> {
    return { holds: await this.holds.listCharging(request) };
  }
}
