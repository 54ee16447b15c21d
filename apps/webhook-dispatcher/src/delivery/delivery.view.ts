import type { WebhookAttempt, WebhookDelivery } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import type { AttemptDetails, DeliveryDetails, FailingEndpoint } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { FailingEndpointRow, ShownDelivery } from './delivery-log.repository';
import type { AttemptEntity } from './delivery.entity';

export function toDeliveryDetails({ id, ...row }: ShownDelivery): DeliveryDetails {
  return {
    delivery_id: id,
    ...row,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}

export function toAttemptDetails({
  number,
  response_status,
  error,
  latency_ms,
  ended_at,
}: AttemptEntity): AttemptDetails {
  return { number, response_status, error, latency_ms, ended_at: ended_at.toISOString() };
}

export function toFailingEndpoint(row: FailingEndpointRow): FailingEndpoint {
  return { ...row, next_attempt_at: row.next_attempt_at?.toISOString() ?? null };
}

/** A delivery as its account sees it. */
export function toWebhookDelivery(row: ShownDelivery): WebhookDelivery {
  const { id, event_id, event_type, job_id, url, status, last_response_status, last_error, redelivery_of } = row;
  return {
    object: 'webhook_delivery',
    ...{ id, event_id, event_type, job_id, url, status },
    attempt_count: row.attempts,
    ...{ last_response_status, last_error },
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    redelivery_of,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}

export function toWebhookAttempt(row: AttemptEntity): WebhookAttempt {
  const { number, response_status, latency_ms, error } = row;
  return {
    number,
    ended_at: row.ended_at.toISOString(),
    ...{ response_status, latency_ms },
    response_body: row.response_excerpt,
    error,
  };
}
