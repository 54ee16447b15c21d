import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kinora/contracts/shared/errors';

/**
 * Requires exactly one Host header on every request (RFC 9112, 3.2). Node would answer a missing one without the
 * envelope, and uses the first of several.
 * @throws ApiError invalid_body
 */
export function assertOneHost({ headersDistinct, httpVersion }: IncomingMessage): void {
  const hosts = headersDistinct.host ?? [];
  if (hosts.length === 1 || (hosts.length === 0 && httpVersion === '1.0')) return;
  throw new ApiError('invalid_body', 'The request must have one Host header.');
}
