import type { Idempotency } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { JobPost } from './job-post.decorator';

/** (decisions: Idempotency) */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The request's Idempotency-Key and what it binds; undefined without one. @throws ApiError invalid_idempotency_key */
export function toIdempotency({ route, idempotencyKeys, body }: JobPost): Idempotency | undefined {
  if (idempotencyKeys.length === 0) return undefined;
  const [key = '', ...more] = idempotencyKeys;
  if (more.length > 0 || !IDEMPOTENCY_KEY.test(key)) {
    const message = 'The Idempotency-Key must be one header of 1 to 255 visible ASCII characters.';
    throw new ApiError('invalid_idempotency_key', message, { param: 'Idempotency-Key' });
  }
  if (body.sha256 === undefined) throw new Error('The body of a request with an Idempotency-Key was not hashed.');
  return { key, route, body_sha256: body.sha256 };
}
