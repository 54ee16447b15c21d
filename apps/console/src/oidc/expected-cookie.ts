import type { FastifyReply, FastifyRequest } from 'fastify';
import { setCookie } from '../session/session-secrets';
import type { Expected } from './open-id-client';

/** A sign-in at the provider takes some minutes at most. */
const COOKIE_SECONDS = 600;

/** What the browser must bring back stands in a cookie of its own, so that no other browser can finish the sign-in. */
export class ExpectedCookie {
  private readonly name: string;

  constructor(
    name: string,
    private readonly isSecure: boolean,
  ) {
    this.name = isSecure ? `__Host-${name}` : name;
  }

  set(reply: FastifyReply, expected: Expected | null): void {
    const value = expected && Buffer.from(JSON.stringify(expected)).toString('base64url');
    const maxAgeSeconds = value === null ? 0 : COOKIE_SECONDS;
    void reply.header('Set-Cookie', setCookie(this.name, value, { isSecure: this.isSecure, maxAgeSeconds }));
  }

  read({ headers }: FastifyRequest): Expected | null {
    const [value] = (headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${this.name}=`))
      .map((pair) => pair.slice(this.name.length + 1));
    try {
      const expected = JSON.parse(Buffer.from(value ?? '', 'base64url').toString('utf8')) as Partial<Expected> | null;
      const { state, nonce, code_verifier, is_confirmation = false } = expected ?? {};
      return state && nonce && code_verifier ? { state, nonce, code_verifier, is_confirmation } : null;
    } catch {
      return null;
    }
  }
}
