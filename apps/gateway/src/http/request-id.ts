import { randomUUID } from 'node:crypto';

/** Decisions, "Every response": `req_` and 24 or more hexadecimal characters, always minted here. */
export function newRequestId(): string {
  // Node draws the randomness of UUIDs ahead of time; asking for bytes at each request costs a hundred times as much.
  return `req_${randomUUID().replaceAll('-', '')}`;
}
