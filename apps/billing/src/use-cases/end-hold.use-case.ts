import { Injectable } from '@nestjs/common';
import type { HoldEnd } from '@kinora/contracts/billing/billing.rpc';
import { holdMoves } from '../billing.metrics';
import { HoldRepository, toHoldEnd } from '../wallet/hold.repository';
import { ReservationRepository } from '../wallet/reservation.repository';

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

/** Refunds the held amount of a job, unless its hold has already ended. */
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
    // The reserve may arrive later. The caller has given up the job, so the barred hold makes that reserve fail.
    if (await this.holds.bar(job_id)) return { state: 'none' };
    // The reserve arrived in between. The job has a hold now, so this recursion happens at most once.
    return await this.execute({ job_id });
  }
}
