import { createHash } from 'node:crypto';
import type { CancelOutcome, ProviderFailure, ProviderTask } from '../compute-provider.port';
import { collectOutputTexts } from '../hosted-model/task-parts';
import { type HttpAnswer, isSuccess } from '../http/bounded-exchange';
import { failureKindOf, textsOf } from '../http/failure-words';
import { asGpuMs, isRecord, parseJson } from '../http/json-answer';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_CHARS = 26;
const MS_PER_SECOND = 1_000;

/** The result of a prediction, from the answer to its open request. */
export type PredictionEnd = { gpuMs: number | null } & (
  | { kind: 'succeeded'; outputs: string[] }
  | { kind: 'failed'; failure: ProviderFailure }
);

/** The id format that Cog recommends, 128 bits in base32, derived from the task's id. */
export function toPredictionId(taskId: string): string {
  const digest = createHash('sha256').update(taskId).digest();
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from(
    { length: ID_CHARS },
    (_, index) => BASE32[Number.parseInt(bits.slice(index * 5, index * 5 + 5), 2)],
  ).join('');
}

/**
 * Null for an answer that does not show the end of the task: it is still running, it is another task, or the format is
 * unknown.
 */
export function readEnd(answer: HttpAnswer, task: ProviderTask): PredictionEnd | null {
  const prediction = isSuccess(answer) ? parseJson(answer.body) : undefined;
  if (!isRecord(prediction)) return null;
  const { id, status: word, output, error, metrics } = prediction;
  if (typeof id === 'string' && id !== toPredictionId(task.id)) return null;
  const gpuMs = isRecord(metrics) ? asGpuMs(metrics['predict_time'], MS_PER_SECOND) : null;
  if (word === 'succeeded') return { kind: 'succeeded', outputs: collectOutputTexts(output), gpuMs };
  if (word === 'canceled')
    return { kind: 'failed', failure: { kind: 'transient', reason: 'canceled at the backend' }, gpuMs };
  return word === 'failed' ? { kind: 'failed', failure: toFailure(error, task), gpuMs } : null;
}

/** Newer servers cancel a prediction whose request is open; older ones answer 404. */
export function toCancelOutcome(status: number, isOpenHere: boolean): CancelOutcome {
  if (status === 200) return 'stopped';
  return status === 404 && !isOpenHere ? 'too_late' : 'unknown';
}

/** An exception may concern this worker only, so it is transient. */
function toFailure(error: unknown, task: ProviderTask): ProviderFailure {
  const kind = failureKindOf(typeof error === 'string' ? error : '', textsOf(task)) ?? 'transient';
  return { kind, reason: `the prediction failed (${kind})` };
}
