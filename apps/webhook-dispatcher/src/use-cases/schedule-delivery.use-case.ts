import { Injectable } from '@nestjs/common';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { WakeUp } from '@kinora/service-kit';
import { Attempts } from '../attempts/attempts.service';
import { DeliveryRepository } from '../delivery/delivery.repository';
import { DueDeliveryRepository } from '../delivery/due-delivery.repository';
import { type NewDelivery, toNewDelivery } from '../delivery/new-delivery';

/** Writes the delivery of a finished job's webhook; a repeated event writes no second one. */
@Injectable()
export class ScheduleDelivery {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly attempts: Attempts,
    private readonly wakeUp: WakeUp<'deliver'>,
  ) {}

  async execute(event: JobFinished): Promise<void> {
    const delivery = toNewDelivery(event);
    if (!delivery) return;
    // With a free slot the attempt begins at once, which saves the claim of due deliveries.
    if (this.attempts.reserve(delivery)) await this.writeAndBegin(delivery);
    else if (await this.deliveries.insert(delivery)) this.wakeUp.notify('deliver');
  }

  private async writeAndBegin(delivery: NewDelivery): Promise<void> {
    const claimedAtMs = performance.now();
    // The request to billing runs while the row is written, so the latency is the longer of the two instead of their
    // sum.
    const secrets = this.attempts.findSecrets(delivery.account_id);
    const claimed = await this.deliveries.insertClaimed(delivery).catch((error: unknown) => {
      this.attempts.release(delivery);
      throw error;
    });
    if (claimed) this.attempts.beginReserved(claimed, claimedAtMs, secrets);
    else this.attempts.release(delivery);
  }
}

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
