import { randomInt } from 'node:crypto';
import { BASE62 } from '@kinora/contracts/billing/api-key-format';

/** Just under 6 bits a character: 32 of them cannot be guessed. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}
