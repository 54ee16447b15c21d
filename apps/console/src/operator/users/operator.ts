import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
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

/** The operator of a route that needs one. */
export const CurrentOperator = createParamDecorator((_data: unknown, context: ExecutionContext): Operator => {
  const { operator } = context.switchToHttp().getRequest<FastifyRequest>();
  if (operator === null) throw new Error('The request has no operator: the route is open.');
  return operator;
});

/** The connection of the operator half, with a user of its own on the broker. */
export abstract class OperatorBus extends Bus {}
