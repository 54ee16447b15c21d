import type { HttpAnswer } from './bounded-exchange';

/** The upper bound of a wait. */
const MAX_RETRY_AFTER_MS = 600_000;

/** Seconds, or a date relative to the backend's own clock; null where the header is missing or invalid. */
export function retryAfterMs(headers: HttpAnswer['headers'], nowMs: number): number | null {
  const value = headers['retry-after']?.trim();
  if (!value) return null;
  const waitMs = /^\d{1,9}(\.\d+)?$/.test(value)
    ? Number(value) * 1_000
    : Date.parse(value) - backendTimeMs(headers, nowMs);
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

function backendTimeMs({ date }: HttpAnswer['headers'], nowMs: number): number {
  const backendMs = date === undefined ? NaN : Date.parse(date);
  return Number.isNaN(backendMs) ? nowMs : backendMs;
}
