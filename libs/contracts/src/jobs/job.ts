import type { JobErrorCode } from '../shared/errors';
import type { Micros } from '../shared/money';
import type { Page } from '../shared/page';
import type { Count, Integer, Timestamp, Url, Uuid } from '../shared/scalars';
import type { ImageEditBody } from './image-edit.body';
import type { ImageGenerationBody } from './image-generation.body';
import type { OutputFormat, VideoDuration } from './job-choices';
import type { JobBody } from './job.body';
import type { VideoGenerationBody } from './video-generation.body';

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

/** Replaces an image: the hash and size of the received bytes, and the sides after orientation. */
export interface ImageRef {
  /** @pattern ^[0-9a-f]{64}$ */
  sha256: string;
  width: Count;
  height: Count;
  mime: string;
}

/** An image that the gateway has put into the object store for a new job. */
export interface StoredImage extends ImageRef {
  object_key: string;
  /** The field of the request that contained the image; errors about the image name it. */
  param: string;
}

/** A LoRA as the request named it. */
export interface LoraInput {
  id?: string;
  url?: string;
  low_url?: string;
  strength?: number;
}

/** The fields of a body that describe the output. `webhook_url`, `metadata` and images are separate. */
export type ClientInput<Body extends JobBody> = Omit<Body, keyof JobBody | 'image' | 'images'>;

/**
 * The parameters of a text-to-image job, with every default filled in.
 * @additionalProperties true
 */
export interface ImageGenerationInput extends ClientInput<ImageGenerationBody> {
  /** The model that makes the images. */
  model: string;
  /** Width, the letter x, height. */
  size: string;
  /** How many images. */
  n: Integer;
  /** The seed of the first image. */
  seed: Integer;
  steps?: Integer;
  loras?: LoraInput[];
  /** The file type of the result. */
  output_format: OutputFormat;
}

/**
 * The parameters of an edit, with every default filled in. Its images stand under the names that the request has used.
 * @additionalProperties true
 */
export interface ImageEditInput extends ClientInput<ImageEditBody> {
  /** The model that makes the image. */
  model: string;
  /** The image of `image`. */
  image?: ImageRef;
  /** Those of `images`. A job from before 1.0.0 has that of `image` here as well, as the first one. */
  images?: ImageRef[];
  /** Width, the letter x, height. */
  size: string;
  n: 1;
  /** The seed of the image. */
  seed: Integer;
  /** The file type of the result. */
  output_format: OutputFormat;
}

/**
 * The parameters of a video, with every default filled in.
 * @additionalProperties true
 */
export interface VideoGenerationInput extends ClientInput<VideoGenerationBody> {
  /** The model that makes the video. */
  model: string;
  /** The start frame. */
  image?: ImageRef;
  /** Only in a job from before 1.0.0: its start frame, instead of `image`. */
  images?: ImageRef[];
  /** Width, the letter x, height. */
  size: string;
  /** Seconds. */
  duration: VideoDuration;
  /** The seed of the video. */
  seed: Integer;
  loras?: LoraInput[];
}

export type JobInput = ImageGenerationInput | ImageEditInput | VideoGenerationInput;

/** An image that a job made. */
export interface ImageOutput {
  /**
   * Signed: any client with this URL can download the file, for at most 7 days and never past `expires_at`; null once it is
   * deleted.
   */
  url: Url | null;
  /** @pattern ^image/ */
  mime: string;
  /** Pixels. */
  width: Count | null;
  /** Pixels. */
  height: Count | null;
  /** The seed that makes the same image again. */
  seed: Integer | null;
  bytes: Count;
}

/** A video that a job made. */
export interface VideoOutput {
  /**
   * Signed: any client with this URL can download the file, for at most 7 days and never past `expires_at`; null once it is
   * deleted.
   */
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

/** The price of a job. */
export interface JobUsage {
  /** In micro-USD: the reserved amount while in flight, 0 after a refund. */
  charged_micros: Micros;
  charged_usd: number;
  /** As the provider reports it; null if it reports none. */
  gpu_ms: Count | null;
}

/** One accepted request from its creation to its end: the same object in the list, in webhooks and by its id. */
export interface Job {
  id: Uuid;
  object: 'job';
  /** In flight while `queued` or `processing`; the others are final. */
  status: JobStatus;
  kind: JobKind;
  model: string;
  /** The parameters of the request, with every default filled in. An image is described by its hash, size and type. */
  input: JobInput;
  /** The outputs; null unless the job has succeeded. */
  output: JobOutput | null;
  usage: JobUsage;
  /** `passed` once all outputs have passed, `blocked` if any of them is blocked. */
  moderation: { status: ModerationStatus };
  /** Why a job failed; null otherwise. */
  error: { code: JobErrorCode; message: string } | null;
  created_at: Timestamp;
  /** When a provider began; null before. */
  started_at: Timestamp | null;
  /** When the job ended; null before. */
  completed_at: Timestamp | null;
  /** When the outputs are deleted; null if there are none. */
  expires_at: Timestamp | null;
  /** As given in the request. */
  metadata: Record<string, string> | null;
}

export type JobList = Page<Job>;

/** (decisions: Job states) */
const IN_FLIGHT: readonly JobStatus[] = ['queued', 'processing'];

/** Whether a job has not ended yet: its status, price and outputs may still change. */
export function isInFlight(status: JobStatus): boolean {
  return IN_FLIGHT.includes(status);
}
