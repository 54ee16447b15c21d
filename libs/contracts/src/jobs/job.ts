import type { JobErrorCode } from '../shared/errors';
import type { Micros } from '../shared/money';
import type { Page } from '../shared/page';
import type { Count, Integer, Timestamp, Url, Uuid } from '../shared/scalars';
import type { JobInput } from './job-inputs';

/** (decisions: Job states) */
export const JOB_STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Values of (API: Job.kind). Variation and inpaint are reserved: no operation creates them yet. */
export const JOB_KINDS = [
  'image.generation',
  'image.edit',
  'image.variation',
  'image.inpaint',
  'video.generation',
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export type ModerationStatus = 'pending' | 'passed' | 'blocked';

/** An image that a job made. */
export interface ImageOutput {
  /** Signed: whoever has it may download the file, for at most 7 days and never past `expires_at`; null once it is deleted. */
  url: Url | null;
  /** @pattern ^image/ */
  mime: string;
  /** Pixels. */
  width: Count | null;
  /** Pixels. */
  height: Count | null;
  /** What makes the same image again. */
  seed: Integer | null;
  bytes: Count;
}

/** A video that a job made. */
export interface VideoOutput {
  /** Signed: whoever has it may download the file, for at most 7 days and never past `expires_at`; null once it is deleted. */
  url: Url | null;
  /** @pattern ^video/ */
  mime: string;
  /** Seconds. */
  duration: number | null;
  /** Frames a second. */
  fps: number | null;
  /** Pixels. */
  width: Count | null;
  /** Pixels. */
  height: Count | null;
  bytes: Count;
}

export type JobOutput = { images: ImageOutput[] } | { video: VideoOutput };

/** What a job costs. */
export interface JobUsage {
  /** In micro-USD: the reserved amount while in flight, 0 after a refund. */
  charged_micros: Micros;
  charged_usd: number;
  /** As the provider reports it; null where it does not. */
  gpu_ms: Count | null;
}

/** One accepted request, from its queue to its end: the same for the list, for webhooks and by its id. */
export interface Job {
  id: Uuid;
  object: 'job';
  /** In flight while `queued` or `processing`; the others are final. */
  status: JobStatus;
  kind: JobKind;
  model: string;
  /** What was asked for, with every default in place. An image is told by its hash, size and type. */
  input: JobInput;
  /** What was made; null unless the job has succeeded. */
  output: JobOutput | null;
  usage: JobUsage;
  /** `passed` once the output has passed, `blocked` if anything was. */
  moderation: { status: ModerationStatus };
  /** Why a job failed; null otherwise. */
  error: { code: JobErrorCode; message: string } | null;
  created_at: Timestamp;
  /** When a provider began; null before. */
  started_at: Timestamp | null;
  /** When the job ended; null before. */
  completed_at: Timestamp | null;
  /** When the outputs are deleted; null where there are none. */
  expires_at: Timestamp | null;
  /** As the request gave it. */
  metadata: Record<string, string> | null;
}

export type JobList = Page<Job>;
