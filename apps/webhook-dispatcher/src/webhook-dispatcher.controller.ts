import { Controller } from '@nestjs/common';
import { type EventDelivery, Handles, OnEvent } from '@kinora/bus';
import { type JobFinished, jobsEvents } from '@kinora/contracts/jobs/jobs.events';
import { webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { DeleteContent } from './use-cases/delete-content/delete-content.use-case';
import { ScheduleDelivery } from './use-cases/schedule-delivery/schedule-delivery.use-case';

/** Handlers of the webhook dispatcher's RPCs and events. */
@Controller()
export class WebhookDispatcherController {
  constructor(
    private readonly scheduleDelivery: ScheduleDelivery,
    private readonly deleteContentUseCase: DeleteContent,
  ) {}

  @OnEvent(jobsEvents.finished)
  jobFinished(event: JobFinished, _delivery: EventDelivery): Promise<void> {
    return this.scheduleDelivery.execute(event);
  }

  @Handles(webhooksRpc.deleteContent)
  deleteContent(event: JobFinished): Promise<Record<string, never>> {
    return this.deleteContentUseCase.execute(event);
  }
}
