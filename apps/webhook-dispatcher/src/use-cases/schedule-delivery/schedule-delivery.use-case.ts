import { Injectable } from '@nestjs/common';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { DeliveryRepository } from '../../delivery/delivery.repository';
import { Doorbell } from '../../delivery/doorbell';

/** Writes down that a finished job's webhook is to be sent; once, however often the event arrives. */
@Injectable()
export class ScheduleDelivery {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly doorbell: Doorbell,
  ) {}

  async execute(event: JobFinished): Promise<void> {
    if ((await this.deliveries.insertFor([event])) > 0) this.doorbell.ring();
  }
}
