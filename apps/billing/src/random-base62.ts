import { randomInt } from 'node:crypto';
import { BASE62 } from '@kinora/contracts/billing/api-key-format';

/** Almost 6 bits per character: 32 characters cannot be guessed. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}
