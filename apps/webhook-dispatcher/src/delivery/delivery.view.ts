import type { AttemptDetails, DeliveryDetails, FailingEndpoint } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { AttemptRow, DeliveryRow, FailingEndpointRow } from './delivery.row';

export function toDeliveryDetails({ id, ...row }: DeliveryRow): DeliveryDetails {
  return {
    delivery_id: id,
    ...row,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}

export function toAttemptDetails(row: AttemptRow): AttemptDetails {
  return { ...row, ended_at: row.ended_at.toISOString() };
}

export function toFailingEndpoint(row: FailingEndpointRow): FailingEndpoint {
  return { ...row, next_attempt_at: row.next_attempt_at?.toISOString() ?? null };
}
