import { Injectable } from '@nestjs/common';
import type { IncomingCall } from '@kinora/bus';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { toReservation } from '../wallet/funds.repository';
import { ReservationRepository } from '../wallet/reservation.repository';

type ReserveCall = IncomingCall<ReserveRequest, Reservation>;

/** Holds the money and a concurrency slot for each job of a batch. Repeated requests for one job hold once. */
@Injectable()
export class Reserve {
  constructor(private readonly reservations: ReservationRepository) {}

  async execute(calls: ReserveCall[]): Promise<void> {
    const outcomes = await this.reservations.reserve(calls.map(({ request: item, caller }) => ({ item, caller })));
    const undecided = calls.filter((call, place) => !settle(call, outcomes[place]));
    if (undecided.length > 0) await this.execute(undecided);
  }
}

/**
 * @returns false if the request was neither reserved nor refused: an earlier request of the same batch was counted against the
 * limits but not reserved. The request is then retried.
 */
function settle(
  call: ReserveCall,
  outcome: Awaited<ReturnType<ReservationRepository['reserve']>>[number] | undefined,
): boolean {
  try {
    if (outcome?.status !== 'fulfilled') throw outcome?.reason;
    const reservation = toReservation(outcome.value, call.request);
    if (reservation) call.answer(reservation);
    return reservation !== null;
  } catch (error) {
    call.fail(error);
    return true;
  }
}
