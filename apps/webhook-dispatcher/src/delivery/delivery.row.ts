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
  last_latency_ms: number | null;
  next_attempt_at: Date | null;
  redelivery_of: string | null;
  created_at: Date;
  completed_at: Date | null;
}

export interface AttemptRow {
  number: number;
  response_status: number | null;
  error: string | null;
  latency_ms: number;
  ended_at: Date;
}

/** What an attempt needs, and the fence that its result must match. */
export interface ClaimedDelivery {
  id: string;
  event_type: WebhookEventType;
  account_id: string;
  host: string;
  url: string;
  body: string;
  /** The attempts that have a result. */
  attempts: number;
  fence: number;
  /** The trace of the job whose end the event reports. */
  traceparent: string | null;
}

export interface FailingEndpointRow {
  account_id: string;
  host: string;
  retrying: number;
  exhausted: number;
  last_response_status: number | null;
  last_error: string | null;
  next_attempt_at: Date | null;
}
