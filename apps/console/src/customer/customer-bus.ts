import { Bus } from '@kinora/bus';

/** The connection of the customer half. Its user of the broker can publish nothing that changes money, status or limits. */
export abstract class CustomerBus extends Bus {}
