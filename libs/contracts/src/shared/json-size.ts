import { type FieldsClass, fieldsOf } from './compiled-fields';

/** A character may be sent as `\u0041`; one above U+FFFF needs two such escapes. */
const UNIT_BYTES = 6;
const CODE_POINT_BYTES = 2 * UNIT_BYTES;
const QUOTES_BYTES = 2;
const BRACKETS_BYTES = 2;

/** JSON.stringify writes numbers with at most this many characters, such as -0.0000012345678901234567. */
export const NUMBER_JSON_BYTES = 25;

/**
 * One of 64 characters of base64 is a slash, which some encoders escape with a backslash. No encoder escapes the other
 * characters of a data URI, and a limit with room for that would be six times as large.
 */
const ESCAPED_SLASH_SHARE = 1 / 64;

/** Size of a text with this number of code points. */
export function textJsonBytes(codePoints: number): number {
  return QUOTES_BYTES + codePoints * CODE_POINT_BYTES;
}

/** Size of a known value. */
export function escapedJsonBytes(value: string | number): number {
  return typeof value === 'number' ? String(value).length : QUOTES_BYTES + value.length * UNIT_BYTES;
}

/** Size of a data URI with this number of characters. */
export function imageJsonBytes(chars: number): number {
  return QUOTES_BYTES + Math.ceil(chars * (1 + ESCAPED_SLASH_SHARE));
}

/** Size of a list, each item followed by a comma or by the end. */
export function listJsonBytes(items: number, itemBytes: number): number {
  return BRACKETS_BYTES + items * (itemBytes + 1);
}

/**
 * Size of the largest body that the field rules of a class allow, fully escaped and without white space. It is an upper bound,
 * because some fields exclude each other.
 */
export function maxBodyBytes(bodyClass: FieldsClass): number {
  const fields = [...fieldsOf(bodyClass).values()];
  const bytes = fields.map(({ name, maxJsonBytes }) => escapedJsonBytes(name) + 1 + maxJsonBytes);
  return BRACKETS_BYTES + bytes.reduce((sum, each) => sum + each + 1, 0);
}
