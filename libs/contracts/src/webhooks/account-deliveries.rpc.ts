import type { WebhookEventType } from '../jobs/webhook-event';
import { rpc } from '../shared/contract';
import { IsOneOf, IsText, IsTimeText, Optional } from '../shared/field-rules';
import { type Page, PageQuery } from '../shared/page';
import type { Count, Integer, Timestamp, Uuid } from '../shared/scalars';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhooks.rpc';

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
  /** Empty once the content of its job is deleted and no attempt follows. */
  url: string;
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

export interface ListAccountDeliveriesRequest {
  account_id: string;
  /** 1 to 100. */
  limit: number;
  cursor?: string;
  job_id?: string;
  status?: DeliveryStatus;
  /** A name or an address, with its port unless that is 443. */
  host?: string;
  /** RFC 3339, or a date. */
  since?: string;
}

export interface AccountDeliveryRef {
  account_id: string;
  delivery_id: string;
}

export interface RedeliverForAccountRequest extends AccountDeliveryRef {
  /** The key that requests it, which the new delivery records. */
  api_key_id: string;
}

export interface TestAccountWebhookRequest {
  account_id: string;
  api_key_id: string;
  url: string;
}

/** Operations of an account on its own deliveries, for its keys of the scope `account`. */
export const accountDeliveriesRpc = {
  list: rpc<ListAccountDeliveriesRequest, WebhookDeliveryList>('webhooks.v1.list_account_deliveries', {
    errors: ['invalid_query'],
  }),
  get: rpc<AccountDeliveryRef, WebhookDeliveryDetails>('webhooks.v1.get_account_delivery', { errors: ['not_found'] }),
  /** Delivers the same event once more, under a new delivery id. Bounded for each account, because it makes the service send. */
  redeliver: rpc<RedeliverForAccountRequest, WebhookDelivery>('webhooks.v1.redeliver_for_account', {
    errors: ['not_found', 'rate_limited'],
  }),
  /** Sends an event of a job that does not exist. Bounded together with redeliveries. */
  sendTest: rpc<TestAccountWebhookRequest, WebhookDelivery>('webhooks.v1.test_account_webhook', {
    errors: ['invalid_body', 'rate_limited'],
  }),
} as const;

/** The query of (API: GET /webhooks/deliveries). */
export class ListDeliveriesQuery extends PageQuery {
  /** Only deliveries of this job. */
  @Optional()
  @IsText({ min: 1, max: 64 })
  job_id?: string;

  /** Only deliveries in this state. */
  @Optional()
  @IsOneOf(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  /** Only deliveries to this host; with its port, such as `example.com:8443`, unless that is 443. */
  @Optional()
  @IsText({ min: 1, max: 260 })
  host?: string;

  /** Only deliveries that were created at this time or later: RFC 3339, UTC where it has no offset, or `YYYY-MM-DD`. */
  @Optional()
  @IsTimeText()
  since?: string;
}

/** A receiver to try. */
export class TestWebhookBody {
  /**
   * A public https URL, by the rules of `webhook_url`.
   * @format uri
   */
  @IsText({ min: 1, max: 2048 })
  url!: string;
}
