import type { Job, JobStatus, VideoGenerationInput } from '@kinora/contracts/jobs/job';
import type { Integer, Uuid } from '@kinora/contracts/shared/scalars';
import { toJobEndError } from '../openai-error';

/** A job that makes a video, as OpenAI's clients read it. */
export interface OpenAiVideo {
  /** The id of the job, also for `/v1`. */
  id: Uuid;
  object: 'video';
  /** The id of the model, also where the request had an alias. */
  model: string;
  /** A canceled job is `failed`, with the code `job_canceled`. */
  status: 'queued' | 'in_progress' | 'completed' | 'failed';
  /**
   * Percent, as the compute backend reports it; 0 where it reports nothing, and 100 only when the video is completed.
   * @minimum 0
   * @maximum 100
   */
  progress: Integer;
  /** Unix seconds. */
  created_at: Integer;
  /** Unix seconds of the end of the job; null before. */
  completed_at: Integer | null;
  /** Unix seconds of the deletion of the content; null if there is none. */
  expires_at: Integer | null;
  /** The true size, which follows the ratio of the start frame. */
  size: string;
  /** The duration, as a text. */
  seconds: string;
  /** Null where the request had none, and after the deletion of the video. */
  prompt: string | null;
  /** Always null: there are no remixes. */
  remixed_from_video_id: null;
  /** Why the video failed; null otherwise. */
  error: { code: string; message: string } | null;
}

/** A page of videos. */
export interface OpenAiVideoList {
  object: 'list';
  data: OpenAiVideo[];
  /** Null on an empty page. */
  first_id: Uuid | null;
  /** The `after` of the next page; null on an empty page. */
  last_id: Uuid | null;
  /** Whether more follow. */
  has_more: boolean;
}

/** The answer to a deletion. */
export interface DeletedOpenAiVideo {
  id: Uuid;
  object: 'video.deleted';
  deleted: true;
}

export type VideoJob = Job & { kind: 'video.generation'; input: VideoGenerationInput };

export function isVideoJob(job: Job): job is VideoJob {
  return job.kind === 'video.generation';
}

/** @param progress 0 to 1; null where the backend reports nothing. */
export function toOpenAiVideo(job: VideoJob, progress: number | null): OpenAiVideo {
  const { id, model, status, input } = job;
  return {
    id,
    object: 'video',
    model,
    status: STATUSES[status],
    progress: status === 'succeeded' ? 100 : toPercent(progress),
    created_at: toUnixSeconds(job.created_at) ?? 0,
    completed_at: toUnixSeconds(job.completed_at),
    expires_at: toUnixSeconds(job.expires_at),
    size: input.size,
    seconds: String(input.duration),
    prompt: input.prompt || null,
    remixed_from_video_id: null,
    error: errorOf(job),
  };
}

export function toOpenAiVideoList(data: OpenAiVideo[], hasMore: boolean): OpenAiVideoList {
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

const STATUSES: Record<JobStatus, OpenAiVideo['status']> = {
  queued: 'queued',
  processing: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'failed',
};

/** A backend may be done while the outputs are still fetched and judged. */
function toPercent(progress: number | null): number {
  return Math.min(99, Math.floor((progress ?? 0) * 100));
}

function toUnixSeconds(time: string | null): number | null {
  return time === null ? null : Math.floor(Date.parse(time) / 1_000);
}

function errorOf(job: VideoJob): OpenAiVideo['error'] {
  if (job.status !== 'failed' && job.status !== 'canceled') return null;
  const { answer, message } = toJobEndError(job);
  return { code: answer.code, message };
}
