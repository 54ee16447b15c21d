import { rpc } from '../shared/contract';
import type { PageRequest, PartialList } from '../shared/page';
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

export interface AttemptDetails {
  /** From 1 on. */
  number: number;
  response_status: number | null;
  /** The class of the failure; null where the receiver acknowledged. */
  error: string | null;
  latency_ms: number;
  ended_at: string;
}

/** A host of an account at which deliveries fail now, or have failed for good in the last seven days. */
export interface FailingEndpoint {
  account_id: string;
  /** With its port. */
  host: string;
  /** Deliveries that wait for another attempt. */
  retrying: number;
  exhausted: number;
  last_response_status: number | null;
  last_error: string | null;
  /** The earliest of those that wait. */
  next_attempt_at: string | null;
}

export interface ListDeliveriesRequest extends PageRequest {
  account_id?: string;
  job_id?: string;
  event_id?: string;
  status?: DeliveryStatus;
  limit?: number;
}

export interface ListFailingEndpointsRequest extends PageRequest {
  account_id?: string;
  limit?: number;
}

export const webhooksRpc = {
  /** Deliveries, newest first. */
  listDeliveries: rpc<ListDeliveriesRequest, PartialList<DeliveryDetails>>('webhooks.v1.list_deliveries', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'capacity'],
  }),
  /** A delivery with each of its attempts. */
  getDelivery: rpc<{ delivery_id: string }, { delivery: DeliveryDetails; attempts: AttemptDetails[] }>(
    'webhooks.v1.get_delivery',
    { timeoutMs: 5_000, errors: ['not_found', 'capacity'] },
  ),
  /** Delivers the same event once more, in the same bytes under a new delivery id, on a schedule of its own. */
  redeliver: rpc<{ delivery_id: string }, DeliveryDetails>('webhooks.v1.redeliver', {
    timeoutMs: 5_000,
    errors: ['not_found', 'capacity'],
  }),
  /** Redelivers each event of the account that was given up since then and that nobody has received or is to receive. */
  recoverDeliveries: rpc<{ account_id: string; since: string }, { recovered: number }>(
    'webhooks.v1.recover_deliveries',
    { timeoutMs: 60_000, errors: ['invalid_body', 'capacity'] },
  ),
  /** Sends the event of a job that never was, signed and retried like any other; its id begins with `evt_test_`. */
  sendTestEvent: rpc<{ account_id: string; url: string }, DeliveryDetails>('webhooks.v1.send_test_event', {
    timeoutMs: 10_000,
    errors: ['invalid_body', 'not_found', 'capacity'],
  }),
  /** Where deliveries fail, the most of them first. */
  listFailingEndpoints: rpc<ListFailingEndpointsRequest, PartialList<FailingEndpoint>>(
    'webhooks.v1.list_failing_endpoints',
    { timeoutMs: 10_000, errors: ['invalid_body', 'capacity'] },
  ),
} as const;
