import { isEmail } from 'class-validator';
import { ApiError } from '@kinora/contracts/shared/errors';

export function valueOf(body: unknown, field: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
}

/** A required text of a body. @throws ApiError invalid_body that names the field */
export function textField(body: unknown, field: string, maxChars: number): string {
  const value = valueOf(body, field);
  if (typeof value === 'string' && value.length > 0 && value.length <= maxChars) return value;
  throw new ApiError('invalid_body', `${field} must be a text of 1 to ${maxChars} characters.`, { param: field });
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

/** The longest actor that other services store. */
const EMAIL_MAX_CHARS = 100;

/** An e-mail address in lower case. @throws ApiError invalid_body */
export function emailField(body: unknown): string {
  const email = textField(body, 'email', EMAIL_MAX_CHARS).trim().toLowerCase();
  if (!isEmail(email, { require_tld: false }))
    throw new ApiError('invalid_body', 'email must be an address.', { param: 'email' });
  return email;
}
