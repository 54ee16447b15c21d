import type { Job } from '@kinora/contracts/jobs/job';
import { WEBHOOK_EVENT_TYPES, type WebhookEvent } from '@kinora/contracts/jobs/webhook-event';

/** The event as a receiver gets it. No field depends on when it is built: a repeat is the same event. */
export function toWebhookEvent(eventId: string, job: Job): WebhookEvent {
  const type = WEBHOOK_EVENT_TYPES.find((each) => each === `job.${job.status}`);
  if (!type || job.completed_at === null) throw new Error(`Job ${job.id} is ${job.status}: it has not ended.`);
  return {
    id: eventId,
    type,
    created: Math.floor(Date.parse(job.completed_at) / 1_000),
    data: { object: job },
  };
}
