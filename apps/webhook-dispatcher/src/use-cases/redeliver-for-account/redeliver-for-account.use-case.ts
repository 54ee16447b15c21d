import { Injectable } from '@nestjs/common';
import type { RedeliverForAccountRequest } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import type { WebhookDelivery } from '@kinora/contracts/webhooks/account-delivery';
import { WakeUp } from '@kinora/service-kit';
import { isUUID } from 'class-validator';
import { toWebhookDelivery } from '../../delivery/account-delivery.view';
import { DeliveryLogRepository } from '../../delivery/delivery-log.repository';
import { deliveryNotFound } from '../../delivery/request-problem';
import { RequestedDeliveryRepository } from '../../delivery/requested-delivery.repository';

/** Delivers an event of an account once more, with the same bytes under a new delivery id. */
@Injectable()
export class RedeliverForAccount {
  constructor(
    private readonly requested: RequestedDeliveryRepository,
    private readonly log: DeliveryLogRepository,
    private readonly wakeUp: WakeUp<'deliver'>,
  ) {}

  async execute({ delivery_id, ...requester }: RedeliverForAccountRequest): Promise<WebhookDelivery> {
    const id = isUUID(delivery_id) ? await this.requested.repeat(requester, delivery_id) : null;
    const row = id === null ? null : await this.log.find(id);
    if (!row) throw deliveryNotFound();
    this.wakeUp.notify('deliver');
    return toWebhookDelivery(row);
  }
}
