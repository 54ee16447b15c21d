/**
 * Whether a value is a text of that many Unicode code points which PostgreSQL gives back as it came. PostgreSQL refuses
 * U+0000 in `text` and in `jsonb`. Half a surrogate pair has no UTF-8: `jsonb` refuses it, and `text` would hold U+FFFD in
 * its place.
 */
export function isStorableText(value: unknown, { min, max }: { min: number; max: number }): value is string {
  // A code point is at most two units long: beyond that there is nothing to count.
  if (typeof value !== 'string' || value.length > 2 * max) return false;
  if (value.includes('\0') || /\p{Surrogate}/u.test(value)) return false;
  const codePoints = countCodePoints(value);
  return codePoints >= min && codePoints <= max;
}

/** Of a text without lone surrogates, where each high one begins a pair. */
function countCodePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
}
