import { Controller } from '@nestjs/common';
import { type EventDelivery, Handles, Listens } from '@kinora/bus';
import { type JobFinished, jobsEvents } from '@kinora/contracts/jobs/jobs.events';
import { type DeliveryDetails, webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { ListDeliveries, type ListDeliveriesRequest } from './use-cases/list-deliveries/list-deliveries.query';
import { ScheduleDelivery } from './use-cases/schedule-delivery/schedule-delivery.use-case';

/** What the webhook dispatcher hears and answers. */
@Controller()
export class WebhookDispatcherController {
  constructor(
    private readonly scheduleDelivery: ScheduleDelivery,
    private readonly listDeliveriesQuery: ListDeliveries,
  ) {}

  @Listens(jobsEvents.finished)
  jobFinished(event: JobFinished, _delivery: EventDelivery): Promise<void> {
    return this.scheduleDelivery.execute(event);
  }

  @Handles(webhooksRpc.listDeliveries)
  listDeliveries(request: ListDeliveriesRequest): Promise<{ data: DeliveryDetails[] }> {
    return this.listDeliveriesQuery.execute(request);
  }
}
