import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { FastifyRequest } from 'fastify';

export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Who asks, as the door knows them. */
export function callerOf({ admission }: FastifyRequest): Admission {
  if (admission === null) throw new Error('A route that needs no key has no caller.');
  return admission;
}
