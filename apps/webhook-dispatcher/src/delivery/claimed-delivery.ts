import type { DeliveryEntity } from './delivery.entity';

/** What an attempt needs, and the fence that its result must match. */
export type ClaimedDelivery = Pick<
  DeliveryEntity,
  'id' | 'event_type' | 'account_id' | 'host' | 'url' | 'body' | 'attempts' | 'fence' | 'traceparent'
>;
