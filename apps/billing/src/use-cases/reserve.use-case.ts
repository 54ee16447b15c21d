import { Injectable } from '@nestjs/common';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { toReservation } from '../wallet/funds.repository';
import { ReservationRepository } from '../wallet/reservation.repository';

/** Holds the money and a concurrency slot for a job. Repeated requests for one job hold once. */
@Injectable()
export class Reserve {
  constructor(private readonly reservations: ReservationRepository) {}

  /** Repeats while the request is neither reserved nor refused: earlier ones of its batch were counted against the limits only. */
  async execute(request: ReserveRequest): Promise<Reservation> {
    for (;;) {
      const reservation = toReservation(await this.reservations.reserve(request), request);
      if (reservation) return reservation;
    }
  }
}
