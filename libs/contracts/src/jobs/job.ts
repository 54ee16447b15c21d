import type { JobErrorCode } from '../shared/errors';
import type { Micros } from '../shared/money';
import type { Page } from '../shared/page';
import type { JobInput } from './job-inputs';

/** Interface, "Job status". */
export const JOB_STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Interface, Job.kind. Variation and inpaint are reserved: no operation creates them yet. */
export const JOB_KINDS = [
  'image.generation',
  'image.edit',
  'image.variation',
  'image.inpaint',
  'video.generation',
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export type ModerationStatus = 'pending' | 'passed' | 'blocked';

export interface ImageOutput {
  url: string | null;
  mime: string;
  width: number | null;
  height: number | null;
  seed: number | null;
  bytes: number;
}

export interface VideoOutput {
  url: string | null;
  mime: string;
  /** Seconds. */
  duration: number | null;
  fps: number | null;
  width: number | null;
  height: number | null;
  bytes: number;
}

export type JobOutput = { images: ImageOutput[] } | { video: VideoOutput };

/** The specification's Job resource, exactly as clients, webhooks and the list see it. */
export interface Job {
  id: string;
  object: 'job';
  status: JobStatus;
  kind: JobKind;
  model: string;
  input: JobInput;
  output: JobOutput | null;
  usage: { charged_micros: Micros; charged_usd: number; gpu_ms: number | null };
  moderation: { status: ModerationStatus };
  error: { code: JobErrorCode; message: string } | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  expires_at: string | null;
  metadata: Record<string, string> | null;
}

export type JobList = Page<Job>;
