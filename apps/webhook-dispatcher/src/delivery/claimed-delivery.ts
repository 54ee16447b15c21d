import type { DeliveryEntity } from './delivery.entity';

/** The fields that an attempt needs, and the fencing token under which it may write its result. */
export type ClaimedDelivery = Pick<
  DeliveryEntity,
  'id' | 'event_type' | 'account_id' | 'host' | 'url' | 'body' | 'attempts' | 'fence' | 'traceparent'
>;
