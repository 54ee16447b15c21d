import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';

export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The hash of the API key that the request presented; a rotated key has several. */
export function keySha256Of({ keySha256 }: FastifyRequest): string {
  if (keySha256 === null)
    throw new Error('The request has no key: keySha256Of() works only on routes that require a key.');
  return keySha256;
}

export function callerOf({ admission }: FastifyRequest): Admission {
  if (admission === null)
    throw new Error('The request has no caller: callerOf() works only on routes that require a key.');
  return admission;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The id that the path names. A malformed id is answered like an unknown one (decisions: Path ids). */
export const AddressedId = createParamDecorator(
  (noun: 'key' | 'delivery' | 'video', context: ExecutionContext): string => {
    const { id } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { id: string } }>>().params;
    if (!isUuid(id)) throw new ApiError('not_found', `There is no such ${noun}.`);
    return id.toLowerCase();
  },
);

/**
 * The caller's job that the path names. A malformed id is answered like an unknown id and like another account's id. An
 * upper-case UUID is converted to lower case, because concurrent requests for one job are batched by this text.
 */
export const AddressedJob = createParamDecorator((_data: unknown, context: ExecutionContext): JobRef => {
  const request = context.switchToHttp().getRequest<FastifyRequest<{ Params: { id: string } }>>();
  const { id } = request.params;
  if (!isUuid(id)) throw new ApiError('not_found', 'There is no such job.');
  return { account_id: callerOf(request).account_id, job_id: id.toLowerCase() };
});
