import {
  type CipherGCMTypes,
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Half } from '../http/route-access';

const CIPHER: CipherGCMTypes = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The id of a session's row. The row does not reveal the cookie. */
export function sessionIdOf(cookie: string): Buffer {
  return createHash('sha256').update(cookie).digest();
}

/** The token that a page sends with each write. A page of another origin cannot read it, and so cannot write. */
export function csrfTokenOf(cookie: string): string {
  return derive(cookie, 'kinora console csrf').toString('base64url');
}

export function isCsrfTokenOf(cookie: string, token: unknown): boolean {
  const expected = Buffer.from(csrfTokenOf(cookie));
  const given = Buffer.from(typeof token === 'string' ? token : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Encrypts under a key that only the browser's cookie yields: a stolen table holds no usable credential. */
export function seal(cookie: string, credential: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, credentialKey(cookie), iv);
  return Buffer.concat([iv, cipher.update(credential, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error if the bytes were sealed under another cookie, or changed */
export function unseal(cookie: string, sealed: Buffer): string {
  const decipher = createDecipheriv(CIPHER, credentialKey(cookie), sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
}

function credentialKey(cookie: string): Buffer {
  return derive(cookie, 'kinora console credential');
}

function derive(cookie: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', cookie, '', purpose, KEY_BYTES));
}

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

export function cookieValues(header: string | undefined, name: string): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return pairs.filter(([key]) => key === name).map(([, value = '']) => value);
}

/** The well-formed value of a cookie; null where there is none, or several. */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = cookieValues(header, name);
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
