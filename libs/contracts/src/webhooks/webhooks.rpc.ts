import { rpc } from '../shared/contract';
import type { WebhookEventType } from './webhook-event';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
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
  last_error: string | null;
  created_at: string;
  completed_at: string | null;
}

export const webhooksRpc = {
  /** Deliveries, newest first. */
  listDeliveries: rpc<
    { account_id?: string; job_id?: string; status?: DeliveryStatus; limit?: number },
    { data: DeliveryDetails[] }
  >('webhooks.v1.list_deliveries', { timeoutMs: 5_000, errors: ['invalid_body', 'capacity'] }),
} as const;
