import { Controller } from '@nestjs/common';
import type { PartialList } from '@kinora/contracts/shared/page';
import type { RetentionPlan } from '@kinora/contracts/shared/retention';
import {
  accountDeliveriesRpc,
  type AccountDeliveryRef,
  type ListAccountDeliveriesRequest,
  type RedeliverForAccountRequest,
  type TestAccountWebhookRequest,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookDeliveryList,
} from '@kinora/contracts/webhooks/account-deliveries.rpc';
import {
  type AttemptDetails,
  type DeliveryDetails,
  type FailingEndpoint,
  type ListDeliveriesRequest,
  type ListFailingEndpointsRequest,
  webhooksRpc,
} from '@kinora/contracts/webhooks/webhooks.rpc';
import { Handles } from '@kinora/bus';
import { AttemptMonths, DeliveryMonths } from './delivery/delivery-months';
import { ListAccountDeliveries } from './use-cases/list-account-deliveries.query';
import { ListDeliveries } from './use-cases/list-deliveries.query';
import {
  RecoverDeliveries,
  type RecoverDeliveriesRequest,
  RedeliverEvent,
  RedeliverForAccount,
} from './use-cases/redeliver-event.use-case';
import { SendTestEvent, type SendTestEventRequest, TestAccountWebhook } from './use-cases/send-test-event.use-case';

/** Serves the operators' requests about deliveries. */
@Controller()
export class DeliveryAdminController {
  constructor(
    private readonly deliveries: ListDeliveries,
    private readonly redeliverEvent: RedeliverEvent,
    private readonly recoverDeliveriesUseCase: RecoverDeliveries,
    private readonly sendTestEventUseCase: SendTestEvent,
    private readonly deliveryMonths: DeliveryMonths,
    private readonly attemptMonths: AttemptMonths,
  ) {}

  @Handles(webhooksRpc.listDeliveries)
  listDeliveries(request: ListDeliveriesRequest): Promise<PartialList<DeliveryDetails>> {
    return this.deliveries.execute(request);
  }

  @Handles(webhooksRpc.getDelivery)
  getDelivery(request: { delivery_id: string }): Promise<{ delivery: DeliveryDetails; attempts: AttemptDetails[] }> {
    return this.deliveries.get(request.delivery_id);
  }

  @Handles(webhooksRpc.listFailingEndpoints)
  listFailingEndpoints(request: ListFailingEndpointsRequest): Promise<PartialList<FailingEndpoint>> {
    return this.deliveries.failingEndpoints(request);
  }

  @Handles(webhooksRpc.redeliver)
  redeliver(request: { delivery_id: string }): Promise<DeliveryDetails> {
    return this.redeliverEvent.execute(request.delivery_id);
  }

  @Handles(webhooksRpc.recoverDeliveries)
  recoverDeliveries(request: RecoverDeliveriesRequest): Promise<{ recovered: number }> {
    return this.recoverDeliveriesUseCase.execute(request);
  }

  @Handles(webhooksRpc.sendTestEvent)
  sendTestEvent(request: SendTestEventRequest): Promise<DeliveryDetails> {
    return this.sendTestEventUseCase.execute(request);
  }

  @Handles(webhooksRpc.planRetention)
  async planRetention(_request: Record<string, never>): Promise<{ data: RetentionPlan[] }> {
    return { data: await Promise.all([this.deliveryMonths.plan(), this.attemptMonths.plan()]) };
  }
}

/** Serves the requests of accounts about their own deliveries. */
@Controller()
export class AccountDeliveriesController {
  constructor(
    private readonly deliveries: ListAccountDeliveries,
    private readonly redeliverForAccount: RedeliverForAccount,
    private readonly testAccountWebhook: TestAccountWebhook,
  ) {}

  @Handles(accountDeliveriesRpc.list)
  list(request: ListAccountDeliveriesRequest): Promise<WebhookDeliveryList> {
    return this.deliveries.execute(request);
  }

  @Handles(accountDeliveriesRpc.get)
  get(request: AccountDeliveryRef): Promise<WebhookDeliveryDetails> {
    return this.deliveries.get(request);
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
