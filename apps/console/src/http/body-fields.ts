import { isEmail, isUUID } from 'class-validator';
import { ApiError } from '@kinora/contracts/shared/errors';

/** A required text of a body. @throws ApiError invalid_body that names the field */
export function textField(body: unknown, field: string, maxChars: number): string {
  const value: unknown =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  if (typeof value === 'string' && value.length > 0 && value.length <= maxChars) return value;
  throw new ApiError('invalid_body', `${field} must be a text of 1 to ${maxChars} characters.`, { param: field });
}

const REASON_MAX_CHARS = 500;
const REFERENCE_MAX_CHARS = 100;

/** Why the operator acts: required, because the reason is what the audit trail is read for. */
export function reasonField(body: unknown): string {
  return textField(body, 'reason', REASON_MAX_CHARS);
}

/** Makes a money action idempotent, so that a form that is sent twice acts once. */
export function referenceField(body: unknown): string {
  return textField(body, 'reference', REFERENCE_MAX_CHARS);
}

export function uuidField(body: unknown, field: string): string {
  const value = valueOf(body, field);
  if (isUUID(value)) return value as string;
  throw new ApiError('invalid_body', `${field} must be a UUID.`, { param: field });
}

export function integerField(body: unknown, field: string): number {
  const value = valueOf(body, field);
  if (Number.isSafeInteger(value)) return value as number;
  throw new ApiError('invalid_body', `${field} must be a whole number.`, { param: field });
}

export function oneOfField<Value extends string>(body: unknown, field: string, allowed: readonly Value[]): Value {
  const value = allowed.find((known) => known === valueOf(body, field));
  if (value !== undefined) return value;
  throw new ApiError('invalid_body', `${field} must be one of ${allowed.join(', ')}.`, { param: field });
}

export function booleanField(body: unknown, field: string): boolean {
  const value = valueOf(body, field);
  if (typeof value === 'boolean') return value;
  throw new ApiError('invalid_body', `${field} must be true or false.`, { param: field });
}

/** The whole numbers that are given. */
export function givenIntegers<Name extends string>(body: unknown, ...names: Name[]): Partial<Record<Name, number>> {
  const given = names.filter((name) => valueOf(body, name) !== undefined);
  return Object.fromEntries(given.map((name) => [name, integerField(body, name)])) as Partial<Record<Name, number>>;
}

function valueOf(body: unknown, field: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
}

/** The longest actor that other services store. */
const EMAIL_MAX_CHARS = 100;

/** The address of an operator, in lower case. @throws ApiError invalid_body */
export function emailField(body: unknown): string {
  const email = textField(body, 'email', EMAIL_MAX_CHARS).trim().toLowerCase();
  if (!isEmail(email, { require_tld: false }))
    throw new ApiError('invalid_body', 'email must be an address.', { param: 'email' });
  return email;
}
