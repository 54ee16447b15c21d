import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyRequest } from 'fastify';

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
