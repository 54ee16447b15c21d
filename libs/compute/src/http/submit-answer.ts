import {
  type FailureKind,
  type FetchOutput,
  InvalidUpstreamOutput,
  ProviderUnreachable,
  type SubmitOutcome,
} from '../compute-provider.port';
import type { HttpAnswer } from './bounded-exchange';
import { errorWords, failureKindOf } from './failure-words';
import { parseJson } from './json-answer';
import { retryAfterMs } from './retry-after';
import { TransportError } from './transport-error';

/** No room now (429, Cog's 409, 503), or not for us until the operator mends keys or credit (401, 402, 403): not taken. */
const NOT_ACCEPTED = [401, 402, 403, 409, 425, 429, 503];
/** Filters of backends speak up with one of these, and only their words tell them from other reasons. */
const MAY_BE_OF_A_FILTER = [400, 403, 422, 451];

/** What a submission has come to that was answered, but neither with a task nor with a result. `ownTexts` may be quoted. */
export function toRejectedSubmit(answer: HttpAnswer, ownTexts: string[] = []): SubmitOutcome {
  const { status, headers } = answer;
  if (isOfFilter(answer, ownTexts)) return toFailed('content_rejected', status);
  if (NOT_ACCEPTED.includes(status))
    return { kind: 'refused', retryAfterMs: retryAfterMs(headers, Date.now()), reason: `answered ${status}` };
  if (status >= 400 && status < 500 && status !== 408) return toFailed('invalid_input', status);
  // A success in a strange language, a redirect, a gateway's error: it may have been taken.
  return { kind: 'unknown', reason: `answered ${status} without a task` };
}

/** What a submission has come to that was not answered. @throws whatever is no TransportError */
export function toUnansweredSubmit(error: unknown): SubmitOutcome {
  if (!(error instanceof TransportError)) throw error;
  const { wasSent, message } = error;
  return wasSent
    ? { kind: 'unknown', reason: `no answer: ${message}` }
    : { kind: 'refused', retryAfterMs: null, reason: `not reached: ${message}` };
}

/** What a submission has come to that was answered with the result itself. */
export async function toFinishedSubmit(outputs: FetchOutput[], gpuMs: number | null): Promise<SubmitOutcome> {
  try {
    return { kind: 'finished', outputs: await Promise.all(outputs.map(take)), gpuMs };
  } catch (error) {
    // On a storage that does not answer now, and named in this answer only.
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

/** An output that can never be had is an empty file: the core finds it undecodable, and names the job's failure. */
async function take(fetchOutput: FetchOutput): Promise<Buffer> {
  try {
    return await fetchOutput();
  } catch (error) {
    if (error instanceof InvalidUpstreamOutput) return Buffer.alloc(0);
    throw error;
  }
}
