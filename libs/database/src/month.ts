/** Ids hold their time in 48 bits. */
const LAST_MS = 2 ** 48 - 1;

/** Sorts before every id (UUID version 7) that was made at that time or later. */
export function firstIdOf(time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), LAST_MS);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The time at which an id (UUID version 7) was made. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** The beginning of the month in UTC that is so many months after the month of `time`. */
export function monthAfter(time: Date, months: number): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));
}
