import type {
  FetchOutput,
  ProviderFailure,
  ProviderTask,
  SubmitOutcome,
  UpstreamStatus,
} from '../compute-provider.port';
import type { HttpAnswer } from '../http/bounded-exchange';
import { errorWords, failureKindOf, textsOf } from '../http/failure-words';
import { asGpuMs, asProgress, asUpstreamId, isRecord, parseJson } from '../http/json-answer';
import { toRejectedSubmit } from '../http/submit-answer';

/** The outcome of an answer without a result. A 500 with the server's own error body is the end of work that had begun. */
export function toErrorOutcome(answer: HttpAnswer, task: ProviderTask): SubmitOutcome {
  const words = errorWords(parseJson(answer.body));
  if (words === null || ![400, 422, 500].includes(answer.status)) return toRejectedSubmit(answer, textsOf(task));
  const otherwise = answer.status === 500 ? 'transient' : 'invalid_input';
  const kind = failureKindOf(words, textsOf(task)) ?? otherwise;
  return { kind: 'failed', failure: { kind, reason: `answered ${answer.status}` }, gpuMs: null };
}

/** The failure of a video that the server reports as failed. */
export function toVideoFailure(error: unknown): ProviderFailure {
  return { kind: failureKindOf(errorWords({ error }) ?? '') ?? 'transient', reason: 'the video failed' };
}

/** The fields of a video job that the adapter uses. */
export interface VideoJob {
  id: string;
  status: string;
  /** The URL of the result, when SGLang stores results in a cloud. */
  url: string | null;
  inferenceMs: number | null;
  /** In percent. */
  progress: unknown;
  error: unknown;
}

/** Null for an answer of unknown format. */
export function asVideoJob(answer: unknown): VideoJob | null {
  if (!isRecord(answer)) return null;
  const id = asUpstreamId(answer['id']);
  if (id === null) return null;
  const { status, url, inference_time_s: seconds, progress, error } = answer;
  return {
    id,
    status: typeof status === 'string' ? status : '',
    url: typeof url === 'string' && url !== '' ? url : null,
    inferenceMs: asGpuMs(seconds, 1_000),
    progress,
    error,
  };
}

export function toVideoStatus(job: VideoJob, fetchVideo: FetchOutput): UpstreamStatus {
  const gpuMs = job.inferenceMs;
  const progress = asProgress(job.progress, 100);
  switch (job.status) {
    case 'queued':
      return { state: 'queued' };
    case 'in_progress':
    case 'cancelling':
      return { state: 'running', ...progress };
    case 'completed':
      return { state: 'succeeded', outputs: [fetchVideo], gpuMs, ...progress };
    case 'failed':
      return { state: 'failed', failure: toVideoFailure(job.error), gpuMs };
    case 'cancelled':
      return { state: 'canceled', gpuMs };
    default:
      return { state: 'unreachable' };
  }
}

/** Nothing is left to stop. */
export function isOver({ status }: VideoJob): boolean {
  return ['completed', 'failed', 'cancelled'].includes(status);
}

/** The location of an output: within the answer, or at an address. */
export type OutputSource = { inline: string } | { address: string };

/** The outputs of an answer, in order; null for an unknown format. */
export function findOutputSources(answer: unknown): OutputSource[] | null {
  if (!isRecord(answer) || !Array.isArray(answer['data'])) return null;
  return answer['data'].map(toSource);
}

/** SGLang also returns a path of its own disk, which is ignored. An entry without either is an output without bytes. */
function toSource(entry: unknown): OutputSource {
  if (!isRecord(entry)) return { inline: '' };
  const { b64_json: inline, url: address } = entry;
  if (typeof inline === 'string' && inline !== '') return { inline };
  return typeof address === 'string' ? { address } : { inline: '' };
}
