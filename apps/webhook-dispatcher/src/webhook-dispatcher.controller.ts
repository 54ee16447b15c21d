import { Controller } from '@nestjs/common';
import { type EventDelivery, OnEvent } from '@kinora/bus';
import { type JobFinished, jobsEvents } from '@kinora/contracts/jobs/jobs.events';
import { ScheduleDelivery } from './use-cases/schedule-delivery/schedule-delivery.use-case';

/** Handlers of the webhook dispatcher's RPCs and events. */
@Controller()
export class WebhookDispatcherController {
  constructor(private readonly scheduleDelivery: ScheduleDelivery) {}

  @OnEvent(jobsEvents.finished)
  jobFinished(event: JobFinished, _delivery: EventDelivery): Promise<void> {
    return this.scheduleDelivery.execute(event);
  }
}
