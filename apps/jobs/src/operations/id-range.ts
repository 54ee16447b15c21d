/** Ids of jobs between two times or with one beginning: UUIDv7 ids begin with the time of creation in milliseconds. */
export interface IdRange {
  from: string | null;
  /** The first id behind the range. */
  before: string | null;
}

const HEX_DIGITS = 32;
const TIME_DIGITS = 12;

/** The beginning of an id as people copy it: hexadecimal digits, with dashes at any place. */
const ID_BEGINNING = /^[0-9a-f-]{1,36}$/i;

/** Null for a text that no id begins with. */
export function rangeOfBeginning(text: string): IdRange | null {
  const digits = text.toLowerCase().replaceAll('-', '');
  if (!ID_BEGINNING.test(text) || digits === '' || digits.length > HEX_DIGITS) return null;
  const next = (BigInt(`0x${digits}`) + 1n).toString(16);
  return {
    from: padded(digits),
    before: next.length > digits.length ? null : padded(next.padStart(digits.length, '0')),
  };
}

/** The range of the jobs that were created at `since` or later, and before `until`. */
export function rangeOfTimes(since: Date | null, until: Date | null): IdRange {
  return { from: since && firstIdAt(since), before: until && firstIdAt(until) };
}

export function firstIdAt(time: Date): string {
  return padded(Math.max(time.getTime(), 0).toString(16).padStart(TIME_DIGITS, '0'));
}

/** What is in both ranges. */
export function intersect(one: IdRange, other: IdRange): IdRange {
  const from = [one.from, other.from].filter((id) => id !== null).sort();
  const before = [one.before, other.before].filter((id) => id !== null).sort();
  return { from: from.at(-1) ?? null, before: before[0] ?? null };
}

function padded(digits: string): string {
  const all = digits.padEnd(HEX_DIGITS, '0');
  return [all.slice(0, 8), all.slice(8, 12), all.slice(12, 16), all.slice(16, 20), all.slice(20)].join('-');
}
