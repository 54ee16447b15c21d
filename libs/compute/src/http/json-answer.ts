export { isRecord } from '@kinora/contracts/shared/is-record';

/** Undefined for what is no JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Null for what could not stand in a path as it is: a backend that names such an id speaks another language. */
export function asUpstreamId(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z0-9_][\w.:-]{0,199}$/.test(value) ? value : null;
}

/** A backend's time for one task, in whole milliseconds; null for anything that no clock can have shown. */
export function asGpuMs(value: unknown, millisecondsPerUnit: number): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return null;
  const milliseconds = Math.round(value * millisecondsPerUnit);
  return milliseconds <= MAX_GPU_MS ? milliseconds : null;
}

/** A week, which is the longest that any backend lets a task live. */
const MAX_GPU_MS = 7 * 24 * 3_600_000;
