import type { DeliveryDetails } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { DeliveryRow } from './delivery.row';

export function toDeliveryDetails({ id, ...row }: DeliveryRow): DeliveryDetails {
  return {
    delivery_id: id,
    ...row,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}
