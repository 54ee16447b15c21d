import { Injectable } from '@nestjs/common';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { WakeUp } from '@kinora/service-kit';
import { Attempts } from '../../attempts/attempts.service';
import { DeliveryRepository } from '../../delivery/delivery.repository';
import { type NewDelivery, toNewDelivery } from '../../delivery/new-delivery';

/** Writes down that a finished job's webhook is to be sent; once, however often the event arrives. */
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
    // Whoever has room sends it at once, and saves the look for what is due.
    if (this.attempts.reserve(delivery)) await this.writeAndBegin(delivery);
    else if (await this.deliveries.insert(delivery)) this.wakeUp.notify('deliver');
  }

  private async writeAndBegin(delivery: NewDelivery): Promise<void> {
    const claimedAtMs = performance.now();
    // Billing answers while the row is written: the receiver waits for the slower of the two, and not for both.
    const secrets = this.attempts.findSecrets(delivery.account_id);
    const claimed = await this.deliveries.insertClaimed(delivery).catch((error: unknown) => {
      this.attempts.release(delivery);
      throw error;
    });
    if (claimed) this.attempts.beginReserved(claimed, claimedAtMs, secrets);
    else this.attempts.release(delivery);
  }
}
