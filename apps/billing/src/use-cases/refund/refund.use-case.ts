import { Injectable } from '@nestjs/common';
import type { HoldEnd } from '@kinora/contracts/billing/billing.rpc';
import { holdMoves } from '../../billing.metrics';
import { toHoldEnd } from '../../wallet/hold-end';
import { HoldRepository } from '../../wallet/hold.repository';
import { ReservationRepository } from '../../wallet/reservation.repository';

/** Gives back what was held for a job, unless its hold has ended before. */
@Injectable()
export class Refund {
  constructor(
    private readonly reservations: ReservationRepository,
    private readonly holds: HoldRepository,
  ) {}

  async execute({ job_id }: { job_id: string }): Promise<HoldEnd> {
    if (await this.reservations.refund(job_id)) {
      holdMoves.inc({ kind: 'refund' });
      return { state: 'refunded' };
    }
    const end = await this.holds.findEnd(job_id);
    if (end) return toHoldEnd(end);
    // The reserve may still be on its way: whoever refunds has given the job up, so nothing may be held for it later.
    if (await this.holds.bar(job_id)) return { state: 'none' };
    // It arrived in between. From now on the job has a hold, so this happens once.
    return await this.execute({ job_id });
  }
}
