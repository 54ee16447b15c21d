import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type AttemptDetails,
  type DeliveryDetails,
  type FailingEndpoint,
  type ListDeliveriesRequest,
  type ListFailingEndpointsRequest,
  webhooksRpc,
} from '@kinora/contracts/webhooks/webhooks.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { GetDelivery } from './use-cases/get-delivery/get-delivery.query';
import { ListDeliveries } from './use-cases/list-deliveries/list-deliveries.query';
import { ListFailingEndpoints } from './use-cases/list-failing-endpoints/list-failing-endpoints.query';
import {
  RecoverDeliveries,
  type RecoverDeliveriesRequest,
} from './use-cases/recover-deliveries/recover-deliveries.use-case';
import { RedeliverEvent } from './use-cases/redeliver-event/redeliver-event.use-case';
import { SendTestEvent, type SendTestEventRequest } from './use-cases/send-test-event/send-test-event.use-case';

/** Serves the operators' requests about deliveries. */
@Controller()
export class DeliveryAdminController {
  constructor(
    private readonly listDeliveriesQuery: ListDeliveries,
    private readonly getDeliveryQuery: GetDelivery,
    private readonly listFailingEndpointsQuery: ListFailingEndpoints,
    private readonly redeliverEvent: RedeliverEvent,
    private readonly recoverDeliveriesUseCase: RecoverDeliveries,
    private readonly sendTestEventUseCase: SendTestEvent,
  ) {}

  @Handles(webhooksRpc.listDeliveries)
  listDeliveries(request: ListDeliveriesRequest): Promise<PartialList<DeliveryDetails>> {
    return this.listDeliveriesQuery.execute(request);
  }

  @Handles(webhooksRpc.getDelivery)
  getDelivery(request: { delivery_id: string }): Promise<{ delivery: DeliveryDetails; attempts: AttemptDetails[] }> {
    return this.getDeliveryQuery.execute(request.delivery_id);
  }

  @Handles(webhooksRpc.listFailingEndpoints)
  listFailingEndpoints(request: ListFailingEndpointsRequest): Promise<PartialList<FailingEndpoint>> {
    return this.listFailingEndpointsQuery.execute(request);
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
}
