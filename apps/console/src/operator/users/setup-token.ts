import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** The token of a setup link. */
export function newSetupToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is stored of a token: the row does not reveal the link. */
export function setupTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
