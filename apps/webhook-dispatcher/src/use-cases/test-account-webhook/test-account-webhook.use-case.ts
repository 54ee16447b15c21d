import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { TestAccountWebhookRequest } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import type { WebhookDelivery } from '@kinora/contracts/webhooks/account-delivery';
import { EgressAllowList, findUrlProblem } from '@kinora/egress';
import { WakeUp } from '@kinora/service-kit';
import { toWebhookDelivery } from '../../delivery/account-delivery.view';
import { DeliveryLogRepository } from '../../delivery/delivery-log.repository';
import { toNewDelivery } from '../../delivery/new-delivery';
import { RequestedDeliveryRepository } from '../../delivery/requested-delivery.repository';
import { testEvent } from '../../delivery/test-event';

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
    const delivery = toNewDelivery(testEvent(requester.account_id, url));
    if (!delivery) throw new Error('a test event has a webhook URL, and yet no delivery');
    await this.requested.insert(requester, delivery);
    this.wakeUp.notify('deliver');
    const row = await this.log.find(delivery.id);
    if (!row) throw new Error(`the delivery ${delivery.id} was inserted and is not found`);
    return toWebhookDelivery(row);
  }
}
