const MICROS_OF_DOLLAR = 1_000_000;

/** The exact amount in dollars: at least two decimals, and as many of the six as the amount needs. */
export function formatMoney(micros: number, { sign = false } = {}): string {
  const absolute = Math.abs(micros);
  const dollars = Math.floor(absolute / MICROS_OF_DOLLAR).toLocaleString('en-US');
  const decimals = String(absolute % MICROS_OF_DOLLAR)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  const prefix = micros < 0 ? '−' : sign && micros > 0 ? '+' : '';
  return `${prefix}$${dollars}.${decimals}`;
}

/** The amount as a person would type it. */
export const dollarsOf = (micros: number) => formatMoney(micros).replace(/[$,]/g, '');

/** A comma separates thousands only: `2,50` is no amount, because some readers mean 2.50 by it. */
const DOLLARS = /^\$?(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,6}))?$/;

/** Dollars as typed, in micro-USD; null if the text is no amount or has more than six decimals. */
export function parseDollars(text: string): number | null {
  const [, dollars, decimals = ''] = DOLLARS.exec(text.trim()) ?? [];
  if (dollars === undefined) return null;
  return Number(dollars.replaceAll(',', '')) * MICROS_OF_DOLLAR + Number(decimals.padEnd(6, '0'));
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

export const formatCount = (count: number) => count.toLocaleString('en-US');

/** `1 image`, `3 images`. */
export const formatQuantity = (count: number, unit: string) => `${formatCount(count)} ${unit}${count === 1 ? '' : 's'}`;

/** A rounded upper end of a chart's axis, so that its grid lines have short labels. */
export function axisEnd(greatest: number): number {
  if (greatest <= 0) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(greatest));
  return ([1, 2, 2.5, 5, 10].find((step) => step * magnitude >= greatest) ?? 10) * magnitude;
}

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

/** A query string without the parameters that are empty; it begins with `?`, or is empty. */
export function queryString(params: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

/** The host that received a delivery; null after the deletion of the job's content, which empties the address. */
export const hostOf = (url: string): string | null => (url === '' ? null : new URL(url).host);
