import type { WebhookEventType } from '@kinora/contracts/jobs/webhook-event';
import { sign } from './sign';

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
