import { v7 as uuidv7 } from 'uuid';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import type { WebhookEventType } from '@kinora/contracts/jobs/webhook-event';
import { parseUrl } from '@kinora/contracts/shared/texts';
import { toWebhookEvent } from '@kinora/webhooks';

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
export function toNewDelivery({ webhook_url, ...event }: JobFinished): NewDelivery | null {
  return webhook_url === null ? null : newDelivery({ ...event, webhook_url });
}

function newDelivery({
  event_id,
  webhook_url: url,
  account_id,
  job,
}: JobFinished & { webhook_url: string }): NewDelivery {
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

/** A finished job in the shape that receivers get, with every field but a file; no such job exists. */
function sampleJob(id: string, at: Date): Job {
  const time = at.toISOString();
  return {
    id,
    object: 'job',
    status: 'succeeded',
    kind: 'image.generation',
    model: 'general-image',
    input: { prompt: 'A test event.', model: 'general-image', size: '1024x1024', n: 1, seed: 1, output_format: 'png' },
    output: { images: [{ url: null, mime: 'image/png', width: 1_024, height: 1_024, seed: 1, bytes: 1 }] },
    usage: { charged_micros: 0, charged_usd: 0, gpu_ms: null },
    moderation: { status: 'passed' },
    error: null,
    created_at: time,
    started_at: time,
    completed_at: time,
    expires_at: time,
    metadata: { test: 'true' },
  };
}

/** The delivery of an event of a job that does not exist. */
export function newTestDelivery(account_id: string, webhook_url: string): NewDelivery {
  const jobId = uuidv7();
  const event_id = `evt_test_${jobId.replaceAll('-', '')}`;
  return newDelivery({ event_id, account_id, webhook_url, job: sampleJob(jobId, new Date()) });
}
