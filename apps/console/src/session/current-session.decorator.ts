import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Session } from './sessions';

/** The session of a route that needs one. */
export const CurrentSession = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  sessionOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

export function sessionOf({ session }: FastifyRequest): Session {
  if (session === null) throw new Error('The request has no session: the route is open.');
  return session;
}
