import type { AttemptDetails, DeliveryDetails, FailingEndpoint } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { AttemptEntity } from './attempt.entity';
import type { FailingEndpointRow, ShownDelivery } from './delivery-log.repository';

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
