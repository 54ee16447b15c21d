import { Injectable } from '@nestjs/common';
import type { DeliveryDetails } from '@kinora/contracts/webhooks/webhooks.rpc';
import { isUUID } from 'class-validator';
import { WakeUp } from '@kinora/service-kit';
import { DeliveryLogRepository } from '../../delivery/delivery-log.repository';
import { DeliveryRepository } from '../../delivery/delivery.repository';
import { toDeliveryDetails } from '../../delivery/delivery.view';
import { deliveryNotFound } from '../../delivery/request-problem';

/** Delivers an event once more, regardless of earlier results: the same bytes under a new delivery id. */
@Injectable()
export class RedeliverEvent {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly log: DeliveryLogRepository,
    private readonly wakeUp: WakeUp<'deliver'>,
  ) {}

  async execute(deliveryId: string): Promise<DeliveryDetails> {
    const [freshId] = isUUID(deliveryId) ? await this.deliveries.redeliver([deliveryId]) : [];
    const row = freshId === undefined ? null : await this.log.find(freshId);
    if (!row) throw deliveryNotFound();
    this.wakeUp.notify('deliver');
    return toDeliveryDetails(row);
  }
}
