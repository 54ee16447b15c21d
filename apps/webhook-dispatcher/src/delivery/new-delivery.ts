import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import type { WebhookEventType } from '@kinora/contracts/webhooks/webhook-event';
import { toWebhookEvent } from '@kinora/webhooks';
import { v7 as uuidv7 } from 'uuid';
import { deliveryHostOf } from './delivery-host';

/** A delivery before it is inserted. */
export interface NewDelivery {
  id: string;
  event_id: string;
  event_type: WebhookEventType;
  account_id: string;
  job_id: string;
  host: string;
  url: string;
  /** The exact characters that are signed and sent at every attempt. */
  body: string;
}

/** Freezes what is to be sent when a job has ended; null if the job has no webhook URL. */
export function toNewDelivery({ event_id, webhook_url: url, account_id, job }: JobFinished): NewDelivery | null {
  if (url === null) return null;
  const event = toWebhookEvent(event_id, job);
  return {
    id: uuidv7(),
    event_id: event.id,
    event_type: event.type,
    account_id,
    job_id: job.id,
    host: deliveryHostOf(url),
    url,
    body: JSON.stringify(event),
  };
}
