import { Injectable } from '@nestjs/common';
import { Attempts } from '../../attempts/attempts.service';
import { DueDeliveryRepository } from '../../delivery/due-delivery.repository';

/** Sends the webhooks that are due. The body was frozen when the job ended; each attempt signs it anew. */
@Injectable()
export class AttemptDeliveries {
  constructor(
    private readonly attempts: Attempts,
    private readonly due: DueDeliveryRepository,
  ) {}

  /** Begins as many attempts as there are free slots. */
  async execute(): Promise<'more' | 'idle'> {
    const room = this.attempts.freeRoom();
    if (!room) return 'idle';
    const claimedAtMs = performance.now();
    const { deliveries, leftSome } = await this.due.claim(room);
    for (const delivery of deliveries) this.attempts.begin(delivery, claimedAtMs);
    return leftSome ? 'more' : 'idle';
  }
}
