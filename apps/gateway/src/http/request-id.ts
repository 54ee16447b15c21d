import { randomBytes } from 'node:crypto';

/** Decisions, "Every response": `req_` and 24 or more hexadecimal characters, always minted here. */
export function newRequestId(): string {
  return `req_${randomBytes(12).toString('hex')}`;
}
