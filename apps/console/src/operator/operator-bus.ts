import { Bus } from '@kinora/bus';

/** The connection of the operator half, with a user of its own on the broker. */
export abstract class OperatorBus extends Bus {}
