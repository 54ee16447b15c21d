import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { parseTimeText } from '@kinora/contracts/shared/texts';
import type { RedeliverForAccountRequest, WebhookDelivery } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import type { DeliveryDetails } from '@kinora/contracts/webhooks/webhooks.rpc';
import { WakeUp } from '@kinora/service-kit';
import { DeliveryLogRepository } from '../delivery/delivery-log.repository';
import { DeliveryRepository } from '../delivery/delivery.repository';
import { toDeliveryDetails, toWebhookDelivery } from '../delivery/delivery.view';
import { assertUuid, deliveryNotFound, invalidField } from '../delivery/request-problem';
import { RequestedDeliveryRepository } from '../delivery/requested-delivery.repository';

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

/** One statement copies a page with the bodies, so the page is small enough to hold its locks briefly. */
const PAGE = 500;

export interface RecoverDeliveriesRequest {
  account_id: string;
  since: string;
}

/** Redelivers what an account's receivers have missed. A repeated request makes no second redelivery. */
@Injectable()
export class RecoverDeliveries {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly wakeUp: WakeUp<'deliver'>,
  ) {}

  async execute({ account_id, since }: RecoverDeliveriesRequest): Promise<{ recovered: number }> {
    assertUuid('account_id', account_id);
    const from = parseTimeText(since);
    if (from === null) throw invalidField('since', 'a time as of RFC 3339, or a date');
    let recovered = 0;
    // An event whose redelivery is pending is not found again.
    for (let page = PAGE; page === PAGE; recovered += page) {
      const lost = await this.deliveries.findLost(account_id, from, PAGE);
      page = (await this.deliveries.redeliver(lost)).length;
    }
    this.wakeUp.notify('deliver');
    return { recovered };
  }
}
