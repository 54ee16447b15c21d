import { randomUUID } from 'node:crypto';

/** A new request id (decisions: Every response). */
export function newRequestId(): string {
  // Node draws the randomness of UUIDs ahead of time; asking for bytes at each request costs a hundred times as much.
  return `req_${randomUUID().replaceAll('-', '')}`;
}
