import {
  type FailureKind,
  type FetchOutput,
  InvalidUpstreamOutput,
  ProviderUnreachable,
  type SubmitOutcome,
} from '../compute-provider.port';
import type { HttpAnswer } from './bounded-exchange';
import { errorWords, failureKindOf, TransportError } from './failure-words';
import { parseJson } from './json-answer';

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

/**
 * Not accepted: no capacity (429, Cog's 409, 503), or missing credentials or credit, which the operator must fix (401, 402,
 * 403).
 */
const NOT_ACCEPTED = [401, 402, 403, 409, 425, 429, 503];
/** Statuses of content filters; only the message distinguishes them from other reasons. */
const MAY_BE_OF_A_FILTER = [400, 403, 422, 451];

/** The outcome of a submission whose answer has neither a task nor a result. `ownTexts` are texts that the answer may quote. */
export function toRejectedSubmit(answer: HttpAnswer, ownTexts: string[] = []): SubmitOutcome {
  const { status, headers } = answer;
  if (isOfFilter(answer, ownTexts)) return toFailed('content_rejected', status);
  if (NOT_ACCEPTED.includes(status))
    return { kind: 'refused', retryAfterMs: retryAfterMs(headers, Date.now()), reason: `answered ${status}` };
  if (status >= 400 && status < 500 && status !== 408) return toFailed('invalid_input', status);
  // An unknown success, a redirect or a gateway's error: the task may have been accepted.
  return { kind: 'unknown', reason: `answered ${status} without a task` };
}

/** The outcome of a submission without an answer. @throws every error that is not a TransportError */
export function toUnansweredSubmit(error: unknown): SubmitOutcome {
  if (!(error instanceof TransportError)) throw error;
  const { wasSent, message } = error;
  return wasSent
    ? { kind: 'unknown', reason: `no answer: ${message}` }
    : { kind: 'refused', retryAfterMs: null, reason: `not reached: ${message}` };
}

/** The outcome of a submission whose answer has the result. */
export async function toFinishedSubmit(outputs: FetchOutput[], gpuMs: number | null): Promise<SubmitOutcome> {
  try {
    return { kind: 'finished', outputs: await Promise.all(outputs.map(take)), gpuMs };
  } catch (error) {
    // The storage is unavailable, and only this answer has the URL of the output.
    if (error instanceof ProviderUnreachable) return { kind: 'unknown' };
    throw error;
  }
}

function isOfFilter({ status, body }: HttpAnswer, ownTexts: string[]): boolean {
  if (!MAY_BE_OF_A_FILTER.includes(status)) return false;
  return failureKindOf(errorWords(parseJson(body)) ?? '', ownTexts) === 'content_rejected';
}

function toFailed(kind: FailureKind, status: number): SubmitOutcome {
  return { kind: 'failed', failure: { kind, reason: `answered ${status}` }, gpuMs: null };
}

/** An output that can never be fetched becomes an empty file: jobs cannot decode it, and fails the job. */
async function take(fetchOutput: FetchOutput): Promise<Buffer> {
  try {
    return await fetchOutput();
  } catch (error) {
    if (error instanceof InvalidUpstreamOutput) return Buffer.alloc(0);
    throw error;
  }
}
