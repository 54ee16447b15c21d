import { createHmac } from 'node:crypto';
import type { Job } from '@kinora/contracts/jobs/job';
import { WEBHOOK_EVENT_TYPES, type WebhookEvent, type WebhookEventType } from '@kinora/contracts/jobs/webhook-event';

/**
 * `X-Service-Signature`: one `v1` for each secret that is valid now, newest first, so that receivers can change theirs
 * during the grace period. The key is the whole secret as the account sees it, prefix included.
 */
export function sign(body: Buffer, secrets: readonly string[], unixSeconds: number): string {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${unixSeconds}.`).update(body);
    return `v1=${hmac.digest('hex')}`;
  });
  return [`t=${unixSeconds}`, ...signatures].join(',');
}

export interface SignedDelivery {
  deliveryId: string;
  eventType: WebhookEventType;
  /** The exact bytes that are sent. */
  body: Buffer;
  /** Newest first. */
  secrets: readonly string[];
}

/** The headers of one attempt, signed with the current time (decisions: Webhooks). */
export function webhookHeaders({ deliveryId, eventType, body, secrets }: SignedDelivery): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Kinora-Webhooks/1.0',
    'Accept-Encoding': 'identity',
    'X-Service-Event': eventType,
    'X-Service-Delivery': deliveryId,
    'X-Service-Signature': sign(body, secrets, Math.floor(Date.now() / 1_000)),
  };
}

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
