import type { DeliveryDetails } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { DeliveryRow } from './delivery.row';

export function toDeliveryDetails({ id, created_at, completed_at, ...row }: DeliveryRow): DeliveryDetails {
  return {
    delivery_id: id,
    ...row,
    created_at: created_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
  };
}
