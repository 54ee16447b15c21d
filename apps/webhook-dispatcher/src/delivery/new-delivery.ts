import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { parseUrl } from '@kinora/contracts/shared/parse-url';
import type { WebhookEventType } from '@kinora/contracts/jobs/webhook-event';
import { toWebhookEvent } from '@kinora/webhooks';
import { v7 as uuidv7 } from 'uuid';

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

/**
 * Normalised host and port of a webhook's URL: the key by which slots are limited. An invalid URL gets an empty host
 * and fails at its attempt. An insert that fails would block all later events.
 */
export function deliveryHostOf(webhookUrl: string): string {
  const url = parseUrl(webhookUrl);
  if (!url) return '';
  const { hostname, port } = url;
  return `${hostname.replace(/\.$/, '')}:${port === '' ? 443 : port}`;
}
