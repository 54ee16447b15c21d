import type { DeliveryEntity } from './delivery.entity';

/** What an attempt needs, and the fence under which it may write its result. */
export type ClaimedDelivery = Pick<
  DeliveryEntity,
  'id' | 'event_type' | 'account_id' | 'host' | 'url' | 'body' | 'attempts' | 'fence' | 'traceparent'
>;
