import { createHash, createHmac } from 'node:crypto';
import { API_KEY_PREFIX, API_KEY_RANDOM_LENGTH, apiKeyChecksum } from '@kinora/contracts/billing/api-key-format';
import { randomBase62 } from '../random-base62';
import type { BillingConfig } from '../billing.config';

/** Long enough to recognise a key, too short to guess the rest. */
const SHOWN_LENGTH = 12;

export interface MintedApiKey {
  /** Shown once, in the response to its creation. */
  key: string;
  prefix: string;
  hash: Buffer;
}

export function mintApiKey(pepper: string): MintedApiKey {
  const body = API_KEY_PREFIX + randomBase62(API_KEY_RANDOM_LENGTH);
  const key = body + apiKeyChecksum(body);
  const keySha256 = createHash('sha256').update(key).digest('hex');
  return { key, prefix: key.slice(0, SHOWN_LENGTH), hash: hashApiKey(pepper, keySha256) };
}

/**
 * The stored hash of a key. A fast hash is safe for a secret that cannot be guessed. Because of the pepper, a stolen
 * table cannot be used to check keys that leaked elsewhere.
 */
export function hashApiKey(pepper: string, keySha256: string): Buffer {
  return createHmac('sha256', pepper).update(keySha256).digest();
}

/** The hashes under which a presented key may be stored: during a rotation of the pepper there are two. */
export function presentedHashes({ peppers }: Pick<BillingConfig, 'peppers'>, keySha256: string): Buffer[] {
  return peppers.map((pepper) => hashApiKey(pepper, keySha256));
}
