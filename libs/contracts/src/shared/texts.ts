/** A JSON object or a YAML map. Null and lists, whose `typeof` is `object` too, are excluded. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses a URL; null if it is none. It does not use `URL.canParse`: after many calls, its optimized form in Node 20 misreads
 * letters of Latin-1 and refuses `https://bücher.example/`.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/**
 * Whether a value is a text of that many Unicode code points which PostgreSQL returns unchanged. PostgreSQL refuses U+0000 in
 * `text` and in `jsonb`. Half a surrogate pair has no UTF-8 encoding: `jsonb` refuses it, and `text` would store U+FFFD
 * instead.
 */
export function isStorableText(value: unknown, { min, max }: { min: number; max: number }): value is string {
  // A code point has at most two code units, so a longer text is too long without counting.
  if (typeof value !== 'string' || value.length > 2 * max) return false;
  if (value.includes('\0') || /\p{Surrogate}/u.test(value)) return false;
  const codePoints = countCodePoints(value);
  return codePoints >= min && codePoints <= max;
}

/**
 * White space, and the characters without a width of their own (Unicode: Default_Ignorable_Code_Point), of the basic plane, as a
 * character class of JSON Schema, which knows no properties of Unicode.
 */
export const BLANK_CHARACTERS =
  '\\s\\u0085\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f' +
  '\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8';

/** Whether a value is such a text, and not of blank characters alone (decisions: Request bodies). An empty text is judged by its length. */
export function isVisibleText(value: unknown, chars: { min: number; max: number }): value is string {
  if (!isStorableText(value, chars)) return false;
  return value === '' || !/^[\p{White_Space}\p{Default_Ignorable_Code_Point}]+$/u.test(value);
}

/** The number of code points of a text without lone surrogates: each high surrogate begins a pair. */
function countCodePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
}

/**
 * A day, or a time of RFC 3339 whose seconds and offset may be left out. The pattern bounds hours and minutes, because Date also
 * accepts 24:00. Leap seconds are not accepted, because no clock that dates a job has them.
 */
export const TIME_TEXT =
  /^\d{4}-\d{2}-\d{2}(?:[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/** The time that a text of a query means, in UTC unless it names an offset; null for anything else. */
export function parseTimeText(text: string): Date | null {
  // A query decodes an unescaped plus as a space.
  const spelled = text.toUpperCase().replace(' ', '+');
  if (!TIME_TEXT.test(spelled) || !isDay(spelled.slice(0, 10))) return null;
  const hasOffset = !spelled.includes('T') || /Z|[+-]\d{2}:\d{2}$/.test(spelled);
  const time = new Date(hasOffset ? spelled : `${spelled}Z`);
  // The offset can lead to a year without four digits, which no answer could show.
  return /^\d{4}-/.test(time.toISOString()) ? time : null;
}

/** Date accepts February 30th as a day in March. */
function isDay(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
