import { Injectable } from '@nestjs/common';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { toReservation } from '../../wallet/to-reservation';
import { ReservationRepository } from '../../wallet/reservation.repository';

/** Holds the money and a concurrency slot for a job, once, however often it is asked. */
@Injectable()
export class Reserve {
  constructor(private readonly reservations: ReservationRepository) {}

  async execute(request: ReserveRequest): Promise<Reservation> {
    const reservation = toReservation(await this.reservations.reserve(request), request);
    // Neither reserved nor refused: a larger neighbour of its set had to be left room for, and then did not need it.
    return reservation ?? (await this.execute(request));
  }
}
