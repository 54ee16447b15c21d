import { InvalidUpstreamOutput } from '../compute-provider.port';

export { isRecord } from '@kinora/contracts/shared/texts';

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

/** The media type and parameters are ignored, because the bytes decide the type of a file. */
const DATA_URI_HEAD = /^data:[^,]{0,200};base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Decodes a file within an answer, as bare base64 or as a data URI. @throws InvalidUpstreamOutput */
export function decodeInlineFile(text: string): Buffer {
  // Some servers add line breaks or indentation.
  const base64 = text.replace(DATA_URI_HEAD, '').replace(/\s/g, '');
  // Buffer.from would skip characters that are not base64 and decode the rest.
  if (!BASE64.test(base64)) throw new InvalidUpstreamOutput('An output is neither base64 nor a data URI.');
  return Buffer.from(base64, 'base64');
}
