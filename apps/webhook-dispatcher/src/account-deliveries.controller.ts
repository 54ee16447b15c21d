import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type AccountDeliveryRef,
  type ListAccountDeliveriesRequest,
  type RedeliverForAccountRequest,
  type TestAccountWebhookRequest,
  accountDeliveriesRpc,
} from '@kinora/contracts/webhooks/account-deliveries.rpc';
import type {
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryList,
} from '@kinora/contracts/webhooks/account-delivery';
import { GetAccountDelivery } from './use-cases/get-account-delivery/get-account-delivery.query';
import { ListAccountDeliveries } from './use-cases/list-account-deliveries/list-account-deliveries.query';
import { RedeliverForAccount } from './use-cases/redeliver-for-account/redeliver-for-account.use-case';
import { TestAccountWebhook } from './use-cases/test-account-webhook/test-account-webhook.use-case';

/** Serves the requests of accounts about their own deliveries. */
@Controller()
export class AccountDeliveriesController {
  constructor(
    private readonly listAccountDeliveries: ListAccountDeliveries,
    private readonly getAccountDelivery: GetAccountDelivery,
    private readonly redeliverForAccount: RedeliverForAccount,
    private readonly testAccountWebhook: TestAccountWebhook,
  ) {}

  @Handles(accountDeliveriesRpc.list)
  list(request: ListAccountDeliveriesRequest): Promise<WebhookDeliveryList> {
    return this.listAccountDeliveries.execute(request);
  }

  @Handles(accountDeliveriesRpc.get)
  get(request: AccountDeliveryRef): Promise<WebhookDeliveryDetails> {
    return this.getAccountDelivery.execute(request);
  }

  @Handles(accountDeliveriesRpc.redeliver)
  redeliver(request: RedeliverForAccountRequest): Promise<WebhookDelivery> {
    return this.redeliverForAccount.execute(request);
  }

  @Handles(accountDeliveriesRpc.sendTest)
  sendTest(request: TestAccountWebhookRequest): Promise<WebhookDelivery> {
    return this.testAccountWebhook.execute(request);
  }
}
