import { Injectable } from '@nestjs/common';
import type { AttemptDetails, DeliveryDetails } from '@kinora/contracts/webhooks/webhooks.rpc';
import { isUUID } from 'class-validator';
import { DeliveryLogRepository } from '../../delivery/delivery-log.repository';
import { toAttemptDetails, toDeliveryDetails } from '../../delivery/delivery.view';
import { deliveryNotFound } from '../../delivery/request-problem';

/** Shows one delivery with the results of its attempts. */
@Injectable()
export class GetDelivery {
  constructor(private readonly log: DeliveryLogRepository) {}

  async execute(deliveryId: string): Promise<{ delivery: DeliveryDetails; attempts: AttemptDetails[] }> {
    const row = isUUID(deliveryId) ? await this.log.find(deliveryId) : null;
    if (!row) throw deliveryNotFound();
    const attempts = await this.log.listAttempts(row.id);
    return { delivery: toDeliveryDetails(row), attempts: attempts.map(toAttemptDetails) };
  }
}
