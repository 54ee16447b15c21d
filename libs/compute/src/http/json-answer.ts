export { isRecord } from '@kinora/contracts/shared/is-record';

/** Undefined for bytes that are not JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Null for a value that is not valid in a URL path: the answer then has an unknown format. */
export function asUpstreamId(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z0-9_][\w.:-]{0,199}$/.test(value) ? value : null;
}

/** A backend's time for one task, in whole milliseconds; null for a value that cannot be a duration. */
export function asGpuMs(value: unknown, millisecondsPerUnit: number): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return null;
  const milliseconds = Math.round(value * millisecondsPerUnit);
  return milliseconds <= MAX_GPU_MS ? milliseconds : null;
}

/** A week, the longest lifetime of a task at any backend. */
const MAX_GPU_MS = 7 * 24 * 3_600_000;

/** The progress that a backend reports, as a part of a status: from 0 to `whole`. Empty for anything else. */
export function asProgress(value: unknown, whole = 1): { progress?: number } {
  const isProgress = typeof value === 'number' && value >= 0 && value <= whole;
  return isProgress ? { progress: value / whole } : {};
}
