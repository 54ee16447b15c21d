import { rpc } from '../shared/contract';
import type { WebhookEventType } from './webhook-event';

/** `pending` until a receiver has acknowledged (`delivered`) or the last attempt has failed (`exhausted`). */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What an operator sees of a delivery; never the body, never the signature. */
export interface DeliveryDetails {
  delivery_id: string;
  event_id: string;
  event_type: WebhookEventType;
  account_id: string;
  job_id: string;
  url: string;
  status: DeliveryStatus;
  attempts: number;
  last_response_status: number | null;
  /** The class of the last attempt's failure. */
  last_error: string | null;
  last_latency_ms: number | null;
  /** While an attempt is under way: when it is made again, should nothing be heard of it. */
  next_attempt_at: string | null;
  /** The delivery that this one repeats under an id of its own. */
  redelivery_of: string | null;
  created_at: string;
  completed_at: string | null;
}

export const webhooksRpc = {
  /** Deliveries, newest first. */
  listDeliveries: rpc<
    { account_id?: string; job_id?: string; event_id?: string; status?: DeliveryStatus; limit?: number },
    { data: DeliveryDetails[] }
  >('webhooks.v1.list_deliveries', { timeoutMs: 5_000, errors: ['invalid_body', 'capacity'] }),
} as const;
