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
 * Whether a value is such a text, and not of white space alone. Unicode does not count the byte order mark as white space, but
 * it is just as invisible.
 */
export function isVisibleText(value: unknown, chars: { min: number; max: number }): value is string {
  return isStorableText(value, chars) && !/^[\p{White_Space}\ufeff]*$/u.test(value);
}

/** The number of code points of a text without lone surrogates: each high surrogate begins a pair. */
function countCodePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
}
