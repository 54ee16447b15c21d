import { Injectable } from '@nestjs/common';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { toReservation } from '../../wallet/to-reservation';
import { ReservationRepository } from '../../wallet/reservation.repository';

/** Holds the money and a concurrency slot for a job. Repeated requests for one job hold once. */
@Injectable()
export class Reserve {
  constructor(private readonly reservations: ReservationRepository) {}

  async execute(request: ReserveRequest): Promise<Reservation> {
    const reservation = toReservation(await this.reservations.reserve(request), request);
    // Neither reserved nor refused: an earlier request of the same batch was counted against the limits but not reserved.
    // So this request is retried.
    return reservation ?? (await this.execute(request));
  }
}
