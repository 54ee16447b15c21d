import { Controller } from '@nestjs/common';
import { type JobFinished, jobsEvents } from '@kinora/contracts/jobs/jobs.events';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { webhooksHealthRpc, webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { type EventDelivery, Handles, OnEvent } from '@kinora/bus';
import { Readiness } from '@kinora/service-kit';
import { DeleteContent } from './use-cases/delete-content.use-case';
import { ScheduleDelivery } from './use-cases/schedule-delivery.use-case';

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

/** Answers health requests of operators who reach the broker but not the health port. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Handles(webhooksHealthRpc.check)
  check(_request: Record<string, never>): Promise<HealthReport> {
    return this.readiness.report();
  }
}
