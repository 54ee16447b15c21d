const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `2026-03-01 14:05:09 UTC` */
export function formatUtc(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `3 min ago`, `in 2 h`, and beyond a week the day. */
export function formatRelative(timestamp: string, now: number): string {
  const distance = new Date(timestamp).getTime() - now;
  if (Number.isNaN(distance)) return timestamp;
  const amount = Math.abs(distance);
  if (amount < 5 * SECOND) return 'now';
  if (amount > 7 * DAY) return formatDay(timestamp);
  const text =
    amount < MINUTE
      ? `${Math.round(amount / SECOND)} s`
      : amount < HOUR
        ? `${Math.round(amount / MINUTE)} min`
        : amount < DAY
          ? `${Math.round(amount / HOUR)} h`
          : `${Math.round(amount / DAY)} d`;
  return distance < 0 ? `${text} ago` : `in ${text}`;
}

/** `1 Mar 2026`, in UTC, as all days of the service are. */
export function formatDay(timestamp: string): string {
  return new Date(timestamp).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

/** `840 ms`, `12.4 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.floor(ms)} ms`;
  // Each part is rounded down: 59.97 s is neither 60.0 s nor a minute.
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
}

export const elapsedMs = (from: string, to: string) => new Date(to).getTime() - new Date(from).getTime();
