import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from './session-secrets';

const ID_BYTES = 16;
const KEY_BYTES = 32;

/** As long as browsers keep a cookie at most. */
const KNOWN_FOR_SECONDS = 400 * 24 * 60 * 60;

/**
 * The cookie of a browser in which a person has signed in: an id, and a proof under a key that is derived from what is stored of
 * the password and never leaves the service. It opens nothing. No table holds it, and a new password ends it.
 */
export class KnownBrowser {
  private readonly name: string;

  constructor(
    name: string,
    private readonly isSecure: boolean,
  ) {
    this.name = isSecure ? `__Host-${name}` : name;
  }

  /**
   * The cookie of a browser in which this person has signed in; null for any other.
   * @param findStored reads what is stored of the password, for a request with a cookie
   */
  async find({ headers }: FastifyRequest, findStored: () => Promise<string | null>): Promise<string | null> {
    const cookie = readCookie(headers.cookie, this.name);
    const stored = cookie === null ? null : await findStored();
    return cookie !== null && stored !== null && isProven(cookie, stored) ? cookie : null;
  }

  remember(reply: FastifyReply, stored: string): void {
    const id = randomBytes(ID_BYTES);
    const cookie = Buffer.concat([id, proofOf(id, stored)]).toString('base64url');
    const options = { isSecure: this.isSecure, maxAgeSeconds: KNOWN_FOR_SECONDS };
    void reply.header('Set-Cookie', setCookie(this.name, cookie, options));
  }
}

function isProven(cookie: string, stored: string): boolean {
  const bytes = Buffer.from(cookie, 'base64url');
  const [id, given] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)];
  const expected = proofOf(id, stored);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Half of the digest, so that the cookie is as long as that of a session. */
function proofOf(id: Buffer, stored: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', stored, '', 'kinora console known browser', KEY_BYTES));
  return createHmac('sha256', key).update(id).digest().subarray(0, ID_BYTES);
}
