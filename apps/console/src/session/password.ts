import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { DerivedPassword } from '@kinora/contracts/billing/users.rpc';
import { Semaphore } from '@kinora/service-kit';
import type { ConsoleConfig } from '../console.config';

const MAX_BYTES = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORMAT = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/;

export const PASSWORD_MIN_CHARS = 12;
export const PASSWORD_MAX_CHARS = 200;

/** Each derivation takes a core for a tenth of a second and 32 MB, so few run at once. */
const AT_ONCE = 2;
const derivations = new Semaphore(AT_ONCE);

type Cost = ConsoleConfig['passwordCost'];

const run = promisify<string, Buffer, number, Cost & { maxmem: number }, Buffer>(scrypt);

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return derivations.run(() => run(password.normalize('NFKC'), salt, HASH_BYTES, { ...cost, maxmem: MAX_BYTES }));
}

const SALT = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)$/;

/** The algorithm, its parameters and a new salt, as billing keeps them of a customer's password. */
export function newSalt({ N, r, p }: Cost): string {
  return ['scrypt', N, r, p, randomBytes(SALT_BYTES).toString('base64url')].join('$');
}

/** A customer's password as billing compares it. @param salt of `newSalt` */
export async function derivePassword(password: string, salt: string): Promise<DerivedPassword> {
  const [, N, r, p, text = ''] = SALT.exec(salt) ?? [];
  if (text === '') throw new Error('The salt of a password is malformed.');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return { salt, derived: (await derive(password, Buffer.from(text, 'base64url'), cost)).toString('hex') };
}

/** @throws ApiError invalid_body */
export function assertPassword(password: string): void {
  if (password.length >= PASSWORD_MIN_CHARS && password.length <= PASSWORD_MAX_CHARS) return;
  const rule = `password must have ${PASSWORD_MIN_CHARS} to ${PASSWORD_MAX_CHARS} characters.`;
  throw new ApiError('invalid_body', rule, { param: 'password' });
}

/** Parameters and salt stand with the hash, so that later releases can raise the cost. */
export async function hashPassword(password: string, cost: Cost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Does the same work for a user who does not exist or has no password: `stored` is null then. */
export async function isPassword(
  password: string,
  stored: string | null,
  usualCost: Cost,
  deriveKey: typeof derive = derive,
): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = FORMAT.exec(stored ?? '') ?? [];
  const cost = hash === '' ? usualCost : { N: Number(N), r: Number(r), p: Number(p) };
  const expected = hash === '' ? randomBytes(HASH_BYTES) : Buffer.from(hash, 'base64url');
  const given = await deriveKey(password, hash === '' ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64url'), cost);
  return given.length === expected.length && timingSafeEqual(given, expected) && hash !== '';
}
