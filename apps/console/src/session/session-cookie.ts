import { randomBytes } from 'node:crypto';
import type { Half } from '../http/route-access';

const COOKIE_BYTES = 32;
const VALUE = /^[A-Za-z0-9_-]{43}$/;
const NAMES: Record<Half, string> = { customer: 'kinora-session', operator: 'kinora-operator' };

/** A new value: nothing that a client sent becomes a session. */
export function newCookieValue(): string {
  return randomBytes(COOKIE_BYTES).toString('base64url');
}

/**
 * With the prefix, browsers accept the cookie only from this host, over https and for every path, so that no other host of the
 * domain can set one. Without https they would refuse it.
 */
export function cookieName(kind: Half, isSecure: boolean): string {
  return isSecure ? `__Host-${NAMES[kind]}` : NAMES[kind];
}

/** The well-formed value of a cookie; null where there is none, or several. */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim().split('=', 2))
    .filter(([key]) => key === name)
    .map(([, value = '']) => value);
  const [value] = values;
  return values.length === 1 && value !== undefined && VALUE.test(value) ? value : null;
}

/** The Set-Cookie header of a session; without a value, one that deletes the cookie. */
export function setCookie(name: string, value: string | null, { isSecure, maxAgeSeconds = 0 }: CookieOptions): string {
  const attributes = [`${name}=${value ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${maxAgeSeconds}`];
  return [...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
}

interface CookieOptions {
  isSecure: boolean;
  maxAgeSeconds?: number;
}
