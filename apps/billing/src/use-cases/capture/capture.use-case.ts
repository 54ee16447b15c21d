import { Injectable } from '@nestjs/common';
import type { HoldEnd } from '@kinora/contracts/billing/billing.rpc';
import { holdMoves } from '../../billing.metrics';
import { toHoldEnd } from '../../wallet/hold-end';
import { HoldRepository } from '../../wallet/hold.repository';
import { ReservationRepository } from '../../wallet/reservation.repository';

/** Captures the held amount of a job, unless its hold has already ended. */
@Injectable()
export class Capture {
  constructor(
    private readonly reservations: ReservationRepository,
    private readonly holds: HoldRepository,
  ) {}

  async execute({ job_id }: { job_id: string }): Promise<HoldEnd> {
    if (await this.reservations.capture(job_id)) {
      holdMoves.inc({ kind: 'capture' });
      return { state: 'captured' };
    }
    const end = await this.holds.findEnd(job_id);
    return end ? toHoldEnd(end) : { state: 'none' };
  }
}
