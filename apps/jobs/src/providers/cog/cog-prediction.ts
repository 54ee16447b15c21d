import { createHash } from 'node:crypto';
import type { CancelOutcome, ProviderFailure } from '../compute-provider.port';
import { failureKindOf } from '../hosted-model/failure-words';
import { collectOutputTexts } from '../hosted-model/output-texts';
import type { HttpAnswer } from '../http/bounded-exchange';
import { asGpuMs, isRecord, parseJson } from '../http/json-answer';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_CHARS = 26;
const MS_PER_SECOND = 1_000;

/** What an open request was answered with, once the work is over. */
export type PredictionEnd = { gpuMs: number | null } & (
  { kind: 'succeeded'; outputs: string[] } | { kind: 'failed'; failure: ProviderFailure }
);

/** The id that Cog recommends, 128 bits in base32; the same for one task at all times. */
export function toPredictionId(taskId: string): string {
  const digest = createHash('sha256').update(taskId).digest();
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from(
    { length: ID_CHARS },
    (_, index) => BASE32[Number.parseInt(bits.slice(index * 5, index * 5 + 5), 2)],
  ).join('');
}

/** Null for an answer that tells no end: of work that goes on, or in another language. */
export function readEnd({ status, body }: HttpAnswer, ownTexts: string[]): PredictionEnd | null {
  const prediction = status === 200 ? parseJson(body) : undefined;
  if (!isRecord(prediction)) return null;
  const { status: word, output, error, metrics } = prediction;
  const gpuMs = isRecord(metrics) ? asGpuMs(metrics['predict_time'], MS_PER_SECOND) : null;
  if (word === 'succeeded') return { kind: 'succeeded', outputs: collectOutputTexts(output), gpuMs };
  if (word === 'canceled')
    return { kind: 'failed', failure: { kind: 'transient', reason: 'canceled at the backend' }, gpuMs };
  return word === 'failed' ? { kind: 'failed', failure: toFailure(error, ownTexts), gpuMs } : null;
}

/** A prediction whose request is open can be canceled by newer servers only; older ones do not find it. */
export function toCancelOutcome(status: number, isOpenHere: boolean): CancelOutcome {
  if (status === 200) return 'stopped';
  return status === 404 && !isOpenHere ? 'too_late' : 'unknown';
}

function toFailure(error: unknown, ownTexts: string[]): ProviderFailure {
  const kind = failureKindOf(typeof error === 'string' ? error : '', ownTexts);
  return { kind, reason: `the prediction failed (${kind})` };
}
