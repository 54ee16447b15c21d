import { rpc } from '../shared/contract';
import type { WebhookDelivery, WebhookDeliveryDetails, WebhookDeliveryList } from './account-delivery';
import type { DeliveryStatus } from './webhooks.rpc';

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
    timeoutMs: 5_000,
    errors: ['invalid_query', 'capacity'],
  }),
  get: rpc<AccountDeliveryRef, WebhookDeliveryDetails>('webhooks.v1.get_account_delivery', {
    timeoutMs: 5_000,
    errors: ['not_found', 'capacity'],
  }),
  /** Delivers the same event once more, under a new delivery id. Bounded for each account, because it makes the service send. */
  redeliver: rpc<RedeliverForAccountRequest, WebhookDelivery>('webhooks.v1.redeliver_for_account', {
    timeoutMs: 5_000,
    errors: ['not_found', 'rate_limited', 'capacity'],
  }),
  /** Sends an event of a job that does not exist. Bounded together with redeliveries. */
  sendTest: rpc<TestAccountWebhookRequest, WebhookDelivery>('webhooks.v1.test_account_webhook', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'rate_limited', 'capacity'],
  }),
} as const;
