import type { DeliveryStatus } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { WebhookEventType } from '@kinora/contracts/webhooks/webhook-event';

export interface DeliveryRow {
  id: string;
  event_id: string;
  event_type: WebhookEventType;
  account_id: string;
  job_id: string;
  url: string;
  status: DeliveryStatus;
  attempts: number;
  last_response_status: number | null;
  last_error: string | null;
  created_at: Date;
  completed_at: Date | null;
}

/** What an attempt needs, and the number under which it may write its result. */
export interface ClaimedDelivery {
  id: string;
  event_type: WebhookEventType;
  account_id: string;
  url: string;
  body: string;
  fence: number;
}
