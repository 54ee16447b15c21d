import type { FetchOutput, UpstreamStatus } from '../compute-provider.port';
import { asGpuMs, asProgress, asUpstreamId, isRecord } from '../http/json-answer';
import { toVideoFailure } from './server-error';

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
