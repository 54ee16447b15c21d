import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { FastifyRequest } from 'fastify';

export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The hash of the API key that the request presented; a rotated key has several. */
export function keySha256Of({ keySha256 }: FastifyRequest): string {
  if (keySha256 === null)
    throw new Error('The request has no key: keySha256Of() works only on routes that require a key.');
  return keySha256;
}

/** The caller as the admission hook has authenticated it. */
export function callerOf({ admission }: FastifyRequest): Admission {
  if (admission === null)
    throw new Error('The request has no caller: callerOf() works only on routes that require a key.');
  return admission;
}
