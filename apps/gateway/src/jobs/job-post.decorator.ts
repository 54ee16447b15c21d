import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../http/caller.decorator';
import type { ReceivedBody } from '../http/received-body';

/** A request for a new job, past the door and parsed, but not yet judged. */
export interface JobPost {
  caller: Admission;
  /** Method and path, to which an Idempotency-Key is bound. */
  route: string;
  /** As many as there were headers. */
  idempotencyKeys: readonly string[];
  body: ReceivedBody;
}

export const Posted = createParamDecorator((_data: unknown, context: ExecutionContext): JobPost => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return {
    caller: callerOf(request),
    route: `POST ${request.routeOptions.url?.replace('/v1', '')}`,
    idempotencyKeys: request.raw.headersDistinct['idempotency-key'] ?? [],
    body: request.body as ReceivedBody,
  };
});
