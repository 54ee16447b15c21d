import { Bus } from '@kinora/bus';
import type { Role } from './permissions';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who acts; null outside the operators' routes. */
    operator: Operator | null;
  }
}

/** The operator who has sent a request. */
export interface Operator {
  id: string;
  email: string;
  role: Role;
  request_id: string;
}

/** The connection of the operator half, with a user of its own on the broker. */
export abstract class OperatorBus extends Bus {}
