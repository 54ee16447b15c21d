import type { Page } from '../shared/page';
import type { Count, Integer, Timestamp, Url, Uuid } from '../shared/scalars';
import type { WebhookEventType } from '../jobs/webhook-event';
import type { DeliveryStatus } from './webhooks.rpc';

/** An event on its way to a receiver. */
export interface WebhookDelivery {
  object: 'webhook_delivery';
  /** The value of `X-Service-Delivery`. */
  id: Uuid;
  /** The same in every redelivery. */
  event_id: string;
  event_type: WebhookEventType;
  /** Of a test event: a job that does not exist. */
  job_id: Uuid;
  url: Url;
  /** `pending` until a receiver has acknowledged (`delivered`) or the last attempt has failed (`exhausted`). */
  status: DeliveryStatus;
  attempt_count: Count;
  /** Of the last attempt; null if no answer came. */
  last_response_status: Integer | null;
  /** The class of the last attempt's failure; null if it was acknowledged. */
  last_error: string | null;
  /** When the next attempt is due; null if none follows. */
  next_attempt_at: Timestamp | null;
  /** The delivery that this one repeats; null for the first one of an event. */
  redelivery_of: Uuid | null;
  created_at: Timestamp;
  completed_at: Timestamp | null;
}

/** One attempt that has ended. */
export interface WebhookAttempt {
  /** Counts from 1. */
  number: Count;
  ended_at: Timestamp;
  /** Null if no answer came. */
  response_status: Integer | null;
  latency_ms: Count;
  /**
   * The first KiB of the answer as text. Control characters, and secrets and signatures of the account, are replaced. Null if
   * no answer came, or none was kept.
   */
  response_body: string | null;
  /** The class of the failure; null if the receiver acknowledged. */
  error: string | null;
}

/** A delivery with its attempts. */
export interface WebhookDeliveryDetails extends WebhookDelivery {
  attempts: WebhookAttempt[];
}

/** A page of deliveries, newest first. */
export type WebhookDeliveryList = Page<WebhookDelivery>;
