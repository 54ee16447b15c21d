import { randomUUID } from 'node:crypto';

/** A new request id (decisions: Every response). */
export function newRequestId(): string {
  // Node caches random data for UUIDs. Calling randomBytes per request costs a hundred times as much.
  return `req_${randomUUID().replaceAll('-', '')}`;
}
