import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyRequest } from 'fastify';
import { isUuid } from './addressed-id.decorator';
import { callerOf } from './caller.decorator';

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
