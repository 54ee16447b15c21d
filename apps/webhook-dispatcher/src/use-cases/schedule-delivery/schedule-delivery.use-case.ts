import { Injectable } from '@nestjs/common';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { Database, enterInbox } from '@kinora/database';
import { DeliveryRepository } from '../../delivery/delivery.repository';

/** Writes down that a finished job's webhook is to be sent; once, however often the event arrives. */
@Injectable()
export class ScheduleDelivery {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveryRepository,
  ) {}

  async execute(event: JobFinished, messageId: string): Promise<void> {
    if (event.webhook_url === null) return;
    await this.database.transaction(async (transaction) => {
      if (await enterInbox(transaction, 'schedule_delivery', messageId))
        await this.deliveries.insertFor([event], transaction);
    });
  }
}
