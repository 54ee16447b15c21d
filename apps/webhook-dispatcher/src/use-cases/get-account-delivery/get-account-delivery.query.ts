import { Injectable } from '@nestjs/common';
import type { AccountDeliveryRef } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import type { WebhookDeliveryDetails } from '@kinora/contracts/webhooks/account-delivery';
import { isUUID } from 'class-validator';
import { toWebhookAttempt, toWebhookDelivery } from '../../delivery/account-delivery.view';
import { DeliveryLogRepository } from '../../delivery/delivery-log.repository';
import { deliveryNotFound } from '../../delivery/request-problem';

/** Shows an account one of its deliveries with the attempts. A delivery of another account is answered like an unknown one. */
@Injectable()
export class GetAccountDelivery {
  constructor(private readonly log: DeliveryLogRepository) {}

  async execute({ account_id, delivery_id }: AccountDeliveryRef): Promise<WebhookDeliveryDetails> {
    const row = isUUID(delivery_id) ? await this.log.find(delivery_id) : null;
    if (row?.account_id !== account_id) throw deliveryNotFound();
    const attempts = await this.log.listAttempts(row.id);
    return { ...toWebhookDelivery(row), attempts: attempts.map(toWebhookAttempt) };
  }
}
