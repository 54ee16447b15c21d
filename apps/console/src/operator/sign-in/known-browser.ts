import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 16;
const KEY_BYTES = 32;

/** As long as browsers keep a cookie at most. */
export const KNOWN_FOR_SECONDS = 400 * 24 * 60 * 60;

/**
 * The cookie of a browser in which an operator has signed in: an id, and a proof under a key that is derived from the stored
 * password. It opens nothing. No table holds it, and a new password ends it.
 */
export function newKnownBrowser(storedPassword: string): string {
  const id = randomBytes(ID_BYTES);
  return Buffer.concat([id, proofOf(id, storedPassword)]).toString('base64url');
}

export function isKnownBrowser(cookie: string, storedPassword: string): boolean {
  const bytes = Buffer.from(cookie, 'base64url');
  const [id, given] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)];
  const expected = proofOf(id, storedPassword);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Half of the digest, so that the cookie is as long as that of a session. */
function proofOf(id: Buffer, storedPassword: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', storedPassword, '', 'kinora console known browser', KEY_BYTES));
  return createHmac('sha256', key).update(id).digest().subarray(0, ID_BYTES);
}
