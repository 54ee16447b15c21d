import { Injectable } from '@nestjs/common';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { TestAccountWebhookRequest, WebhookDelivery } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import type { DeliveryDetails } from '@kinora/contracts/webhooks/webhooks.rpc';
import { Bus } from '@kinora/bus';
import { EgressAllowList, findUrlProblem } from '@kinora/egress';
import { WakeUp } from '@kinora/service-kit';
import { DeliveryLogRepository } from '../delivery/delivery-log.repository';
import { DeliveryRepository } from '../delivery/delivery.repository';
import { toDeliveryDetails, toWebhookDelivery } from '../delivery/delivery.view';
import { newTestDelivery } from '../delivery/new-delivery';
import { assertUuid, deliveryNotFound } from '../delivery/request-problem';
import { RequestedDeliveryRepository } from '../delivery/requested-delivery.repository';

export interface SendTestEventRequest {
  account_id: string;
  url: string;
}

/** Sends a test event to a receiver: an ordinary event of a job that does not exist. */
@Injectable()
export class SendTestEvent {
  constructor(
    private readonly bus: Bus,
    private readonly allow: EgressAllowList,
    private readonly deliveries: DeliveryRepository,
    private readonly log: DeliveryLogRepository,
    private readonly wakeUp: WakeUp<'deliver'>,
  ) {}

  async execute({ account_id, url: webhook_url }: SendTestEventRequest): Promise<DeliveryDetails> {
    assertUuid('account_id', account_id);
    const problem = findUrlProblem(webhook_url, this.allow);
    if (problem !== null) throw new ApiError('invalid_body', `url ${problem}.`, { param: 'url' });
    // An account that does not exist has no secrets, and without secrets the delivery would never be sent.
    await this.bus.request(billingRpc.getWebhookSecrets, { account_id });
    const delivery = newTestDelivery(account_id, webhook_url);
    await this.deliveries.insert(delivery);
    this.wakeUp.notify('deliver');
    const row = await this.log.find(delivery.id);
    if (!row) throw deliveryNotFound();
    return toDeliveryDetails(row);
  }
}

/** Sends an account's receiver an event of a job that does not exist, signed and retried like any other. */
@Injectable()
export class TestAccountWebhook {
  constructor(
    private readonly allow: EgressAllowList,
    private readonly requested: RequestedDeliveryRepository,
    private readonly log: DeliveryLogRepository,
    private readonly wakeUp: WakeUp<'deliver'>,
  ) {}

  async execute({ url, ...requester }: TestAccountWebhookRequest): Promise<WebhookDelivery> {
    const problem = findUrlProblem(url, this.allow);
    if (problem !== null) throw new ApiError('invalid_body', `url ${problem}.`, { param: 'url' });
    const delivery = newTestDelivery(requester.account_id, url);
    await this.requested.insert(requester, delivery);
    this.wakeUp.notify('deliver');
    const row = await this.log.find(delivery.id);
    if (!row) throw new Error(`the delivery ${delivery.id} was inserted and is not found`);
    return toWebhookDelivery(row);
  }
}
