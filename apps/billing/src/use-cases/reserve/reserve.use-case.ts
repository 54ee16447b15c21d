import { Injectable } from '@nestjs/common';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { toReservation } from '../../wallet/to-reservation';
import { WalletRepository } from '../../wallet/wallet.repository';

/** Holds the money and a concurrency slot for a job, once, however often it is asked. */
@Injectable()
export class Reserve {
  constructor(private readonly wallets: WalletRepository) {}

  async execute(request: ReserveRequest): Promise<Reservation> {
    const reserved = await this.wallets.reserve(request);
    if (reserved) return reserved;
    return toReservation(await this.wallets.getStanding(request), request.amount_micros);
  }
}
