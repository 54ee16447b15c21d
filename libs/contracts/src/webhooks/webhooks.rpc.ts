import type { JobFinished } from '../jobs/jobs.events';
import type { WebhookEventType } from '../jobs/webhook-event';
import { rpc } from '../shared/contract';
import { healthCheck } from '../shared/health';
import type { PageRequest, PartialList } from '../shared/page';
import type { RetentionPlan } from '../shared/retention';

/** `pending` until a receiver has acknowledged (`delivered`) or the last attempt has failed (`exhausted`). */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The part of a delivery that operators see; never the body, never the signature. */
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
  /** While an attempt is under way: when the delivery is attempted again if that attempt reports no result. */
  next_attempt_at: string | null;
  /** The delivery that this one repeats under its own id. */
  redelivery_of: string | null;
  /** The key of the account that requested it; null for all others. */
  requested_by?: string | null;
  created_at: string;
  completed_at: string | null;
}

export interface AttemptDetails {
  /** Counts from 1. */
  number: number;
  response_status: number | null;
  /** The class of the failure; null if the receiver acknowledged. */
  error: string | null;
  latency_ms: number;
  ended_at: string;
}

/** A host of an account whose deliveries fail now, or have failed for good in the last seven days. */
export interface FailingEndpoint {
  account_id: string;
  /** Includes the port. */
  host: string;
  /** Deliveries that wait for another attempt. */
  retrying: number;
  exhausted: number;
  last_response_status: number | null;
  last_error: string | null;
  /** The earliest time among those that wait. */
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
    errors: ['invalid_body'],
  }),
  /** A delivery with each of its attempts. */
  getDelivery: rpc<{ delivery_id: string }, { delivery: DeliveryDetails; attempts: AttemptDetails[] }>(
    'webhooks.v1.get_delivery',
    { errors: ['not_found'] },
  ),
  /** Delivers the same event once more, with the same bytes under a new delivery id, on its own schedule. */
  redeliver: rpc<{ delivery_id: string }, DeliveryDetails>('webhooks.v1.redeliver', { errors: ['not_found'] }),
  /** Redelivers each exhausted event of the account since the given time, unless it was received or is pending again. */
  recoverDeliveries: rpc<{ account_id: string; since: string }, { recovered: number }>(
    'webhooks.v1.recover_deliveries',
    { timeoutMs: 60_000, errors: ['invalid_body'] },
  ),
  /** Sends a test event for a job that does not exist, signed and retried like any other; its id begins with `evt_test_`. */
  sendTestEvent: rpc<{ account_id: string; url: string }, DeliveryDetails>('webhooks.v1.send_test_event', {
    timeoutMs: 10_000,
    errors: ['invalid_body', 'not_found'],
  }),
  /** The event of a job whose content was deleted: its deliveries carry this from now on. */
  deleteContent: rpc<JobFinished, Record<string, never>>('webhooks.v1.delete_content'),
  /** Hosts with failing deliveries, those with the most failures first. */
  listFailingEndpoints: rpc<ListFailingEndpointsRequest, PartialList<FailingEndpoint>>(
    'webhooks.v1.list_failing_endpoints',
    { timeoutMs: 10_000, errors: ['invalid_body'] },
  ),
  /** Which months of deliveries and of their attempts are dropped, and when. */
  planRetention: rpc<Record<string, never>, { data: RetentionPlan[] }>('webhooks.v1.plan_retention'),
} as const;

export const webhooksHealthRpc = {
  check: healthCheck('webhooks'),
} as const;
