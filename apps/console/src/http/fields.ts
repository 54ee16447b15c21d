import { isUUID } from 'class-validator';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';
import { booleanField, emailField, oneOfField, textField, valueOf } from './body-fields';

/** A field of a body: what the OpenAPI document says of it, and its check, which throws `invalid_body`. */
export interface Field<Value> {
  schema: Record<string, unknown>;
  read: (body: unknown, name: string) => Value;
  isOptional?: boolean;
}

export function text(maxChars: number, schema: object = { type: 'string', minLength: 1 }): Field<string> {
  return { schema: { ...schema }, read: (body, name) => textField(body, name, maxChars) };
}

function shortText(maxLength: number, description: string): Field<string> {
  return text(maxLength, { type: 'string', minLength: 1, maxLength, description });
}

export function optional<Value>(field: Field<Value>): Field<Value> & { isOptional: true } {
  return { ...field, isOptional: true };
}

/** Why the operator acts: required, because the reason is what the audit trail is read for. */
export const REASON = shortText(500, 'Stands in the audit trail.');
/** An action that asks for the password, and for nothing but the reason. */
export const BY_REASON = { isConfirmed: true, body: { reason: REASON } } as const;
/** Makes a money action idempotent, so that a form that is sent twice acts once. */
export const REFERENCE = shortText(100, 'A request with a known reference changes nothing.');
export const BOOLEAN: Field<boolean> = { schema: { type: 'boolean' }, read: booleanField };
export const EMAIL: Field<string> = { schema: { type: 'string', format: 'email' }, read: emailField };

export const INTEGER: Field<number> = {
  schema: { type: 'integer' },
  read: (body, name) => checked(body, name, Number.isSafeInteger, 'a whole number') as number,
};
export const OPTIONAL_INTEGER = optional(INTEGER);
/** Integers by name; the context that gets them checks them. */
export const AMOUNTS: Field<Record<string, number>> = {
  schema: { type: 'object', additionalProperties: { type: 'integer' } },
  read: (body, name) => checked(body, name, isRecord, 'an object') as Record<string, number>,
};
export const UUID: Field<string> = {
  schema: { type: 'string', format: 'uuid' },
  read: (body, name) => checked(body, name, isUUID, 'a UUID') as string,
};

export function oneOf<Value extends string>(values: readonly Value[]): Field<Value> {
  return { schema: { type: 'string', enum: values }, read: (body, name) => oneOfField(body, name, values) };
}

/** A field that the context which gets it checks. */
export function checkedByContext<Value>(schema: Record<string, unknown>): Field<Value> {
  return { schema, read: (body, name) => valueOf(body, name) as Value };
}

function checked(body: unknown, name: string, isRight: (value: unknown) => boolean, kind: string): unknown {
  const value = valueOf(body, name);
  if (isRight(value)) return value;
  throw new ApiError('invalid_body', `${name} must be ${kind}.`, { param: name });
}
