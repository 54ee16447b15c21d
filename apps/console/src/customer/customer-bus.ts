import { Bus } from '@kinora/bus';

/** The connection of the customer half. Each request that its user of the broker may publish proves a key or a link. */
export abstract class CustomerBus extends Bus {}
