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
import { collectOutputTexts } from '../hosted-model/output-texts';

const MS_PER_SECOND = 1_000;

/** The fields of a prediction that we read, all as a stranger sent them. */
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

/** Null for what is no prediction. */
export function asPrediction(value: unknown): Prediction | null {
  if (!isRecord(value)) return null;
  const id = asUpstreamId(value['id']);
  return id === null ? null : { ...value, id, status: value['status'] };
}

/** The answer to a submission. */
export function toSubmitOutcome(answer: HttpAnswer, ownTexts: string[]): SubmitOutcome {
  const prediction = asPrediction(parseJson(answer.body));
  if (isSuccess(answer) && prediction)
    return { kind: 'accepted', ref: { id: prediction.id }, isRunning: prediction.status === 'processing' };
  const outcome = toRejectedSubmit(answer, ownTexts);
  if (outcome.kind !== 'refused' || outcome.retryAfterMs !== null) return outcome;
  return { ...outcome, retryAfterMs: throttledForMs(answer.body) };
}

/** How a prediction stands. Replicate may learn new words, and a word that we do not know proves nothing. */
export function toStatus(prediction: Prediction, fetchOutput: (text: string) => FetchOutput): UpstreamStatus {
  const gpuMs = gpuMsOf(prediction);
  switch (prediction.status) {
    case 'starting':
      return { state: 'queued' };
    case 'processing':
      return { state: 'running' };
    case 'succeeded':
      // Removed before it was fetched: as if Replicate had forgotten all of it.
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

/** The answer to a cancel, which is the prediction as it is then. */
export function toCancelOutcome(answer: HttpAnswer, id: string): CancelOutcome {
  if (answer.status === 404) return 'too_late';
  const prediction = isSuccess(answer) ? asPrediction(parseJson(answer.body)) : null;
  const word = prediction?.id === id ? prediction.status : undefined;
  if (word === 'canceled' || word === 'aborted') return 'stopped';
  return word === 'succeeded' || word === 'failed' ? 'too_late' : 'unknown';
}

/** Its own words stay there: they may quote the prompt. What threw may be that worker's fault alone. */
function toFailure({ error, input }: Prediction): ProviderFailure {
  const ownTexts = isRecord(input) ? Object.values(input).filter((value) => typeof value === 'string') : [];
  const kind = failureKindOf(typeof error === 'string' ? error : '', ownTexts) ?? 'transient';
  return { kind, reason: `the prediction failed (${kind})` };
}

function gpuMsOf({ metrics }: Prediction): number | null {
  return isRecord(metrics) ? asGpuMs(metrics['predict_time'], MS_PER_SECOND) : null;
}

/** Replicate says in its text, and not in a header, when it will listen again. */
function throttledForMs(body: Buffer): number | null {
  const answer = parseJson(body);
  const detail = isRecord(answer) ? answer['detail'] : undefined;
  const [, seconds] = /resets in ~?(\d{1,4})\s?s/.exec(typeof detail === 'string' ? detail : '') ?? [];
  return seconds === undefined ? null : Number(seconds) * MS_PER_SECOND;
}
