import { fieldsOf } from './compiled-fields';
import type { FieldsClass } from './rule-context';

/** A character may be sent as `\u0041`; one beyond U+FFFF then takes two such escapes. */
const UNIT_BYTES = 6;
const CODE_POINT_BYTES = 2 * UNIT_BYTES;
const QUOTES_BYTES = 2;
const BRACKETS_BYTES = 2;

/** JSON.stringify writes no number with more characters, such as -0.0000012345678901234567. */
export const NUMBER_JSON_BYTES = 25;

/**
 * One character of base64 in 64 is a slash, which some encoders escape with a backslash. No encoder escapes the other
 * characters of a data URI: a limit with room for that would be six times as large.
 */
const ESCAPED_SLASH_SHARE = 1 / 64;

/** Of a text of so many code points. */
export function textJsonBytes(codePoints: number): number {
  return QUOTES_BYTES + codePoints * CODE_POINT_BYTES;
}

/** Of a value that is known. */
export function escapedJsonBytes(value: string | number): number {
  return typeof value === 'number' ? String(value).length : QUOTES_BYTES + value.length * UNIT_BYTES;
}

/** Of a data URI of so many characters. */
export function imageJsonBytes(chars: number): number {
  return QUOTES_BYTES + Math.ceil(chars * (1 + ESCAPED_SLASH_SHARE));
}

/** Of so many items, each followed by a comma or by the end. */
export function listJsonBytes(items: number, itemBytes: number): number {
  return BRACKETS_BYTES + items * (itemBytes + 1);
}

/**
 * Of the fullest body that the field rules of a class let pass, fully escaped and without white space: each field in its
 * longest form. It is an upper bound, since some fields exclude each other.
 */
export function maxBodyBytes(bodyClass: FieldsClass): number {
  const fields = [...fieldsOf(bodyClass).values()];
  const bytes = fields.map(({ name, maxJsonBytes }) => escapedJsonBytes(name) + 1 + maxJsonBytes);
  return BRACKETS_BYTES + bytes.reduce((sum, each) => sum + each + 1, 0);
}
