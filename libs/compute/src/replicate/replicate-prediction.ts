import type {
  CancelOutcome,
  FetchOutput,
  ProviderFailure,
  SubmitOutcome,
  UpstreamStatus,
} from '../compute-provider.port';
import { type HttpAnswer, isSuccess } from '../http/bounded-exchange';
import { failureKindOf } from '../http/failure-words';
import { asGpuMs, asUpstreamId, isRecord, parseJson } from '../http/json-answer';
import { toRejectedSubmit } from '../http/submit-answer';
import { collectOutputTexts } from '../hosted-model/task-parts';

const MS_PER_SECOND = 1_000;

/** The fields of a prediction that the adapter reads, all unvalidated. */
export interface Prediction {
  id: string;
  status: unknown;
  output?: unknown;
  error?: unknown;
  input?: unknown;
  metrics?: unknown;
  data_removed?: unknown;
  webhook?: unknown;
}

/** Null for a value that is not a prediction. */
export function asPrediction(value: unknown): Prediction | null {
  if (!isRecord(value)) return null;
  const id = asUpstreamId(value['id']);
  return id === null ? null : { ...value, id, status: value['status'] };
}

export function toSubmitOutcome(answer: HttpAnswer, ownTexts: string[]): SubmitOutcome {
  const prediction = asPrediction(parseJson(answer.body));
  if (isSuccess(answer) && prediction)
    return { kind: 'accepted', ref: { id: prediction.id }, isRunning: prediction.status === 'processing' };
  const outcome = toRejectedSubmit(answer, ownTexts);
  if (outcome.kind !== 'refused' || outcome.retryAfterMs !== null) return outcome;
  return { ...outcome, retryAfterMs: throttledForMs(answer.body) };
}

/** The status of a prediction. Replicate may add statuses, and an unknown one proves nothing. */
export function toStatus(prediction: Prediction, fetchOutput: (text: string) => FetchOutput): UpstreamStatus {
  const gpuMs = gpuMsOf(prediction);
  switch (prediction.status) {
    case 'starting':
      return { state: 'queued' };
    case 'processing':
      return { state: 'running' };
    case 'succeeded':
      // The output was deleted before it was fetched: reported as if the prediction were gone.
      return prediction.data_removed === true
        ? { state: 'not_found' }
        : { state: 'succeeded', outputs: collectOutputTexts(prediction.output).map(fetchOutput), gpuMs };
    case 'failed':
      return { state: 'failed', failure: toFailure(prediction), gpuMs };
    case 'canceled':
    case 'aborted':
      return { state: 'canceled', gpuMs };
    default:
      return { state: 'unreachable' };
  }
}

export function toCancelOutcome(answer: HttpAnswer, id: string): CancelOutcome {
  if (answer.status === 404) return 'too_late';
  const prediction = isSuccess(answer) ? asPrediction(parseJson(answer.body)) : null;
  const word = prediction?.id === id ? prediction.status : undefined;
  if (word === 'canceled' || word === 'aborted') return 'stopped';
  return word === 'succeeded' || word === 'failed' ? 'too_late' : 'unknown';
}

/**
 * The message is not passed on, because it may quote the prompt. An exception may concern this worker only, so it is
 * transient.
 */
function toFailure({ error, input }: Prediction): ProviderFailure {
  const ownTexts = isRecord(input) ? Object.values(input).filter((value) => typeof value === 'string') : [];
  const kind = failureKindOf(typeof error === 'string' ? error : '', ownTexts) ?? 'transient';
  return { kind, reason: `the prediction failed (${kind})` };
}

function gpuMsOf({ metrics }: Prediction): number | null {
  return isRecord(metrics) ? asGpuMs(metrics['predict_time'], MS_PER_SECOND) : null;
}

/** Replicate sends the wait in its message, not in a header. */
function throttledForMs(body: Buffer): number | null {
  const answer = parseJson(body);
  const detail = isRecord(answer) ? answer['detail'] : undefined;
  const [, seconds] = /resets in ~?(\d{1,4})\s?s/.exec(typeof detail === 'string' ? detail : '') ?? [];
  return seconds === undefined ? null : Number(seconds) * MS_PER_SECOND;
}
