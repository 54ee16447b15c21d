import { randomInt } from 'node:crypto';

/**
 * Distinct loopback addresses for servers with a fixed port, such as 8443. Each process draws its own out of four million, so
 * that the specs of two checkouts can run on one machine at once.
 */
export function loopbackAddresses(count: number): string[] {
  const network = `127.${randomInt(64, 128)}.${randomInt(256)}`;
  const first = randomInt(1, 255 - count);
  return Array.from({ length: count }, (_, index) => `${network}.${first + index}`);
}
