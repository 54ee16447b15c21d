import type { Count, Integer } from '../shared/scalars';

/** What stands in place of an image: of the bytes that were received, its sides after orientation. */
export interface ImageRef {
  /** @pattern ^[0-9a-f]{64}$ */
  sha256: string;
  width: Count;
  height: Count;
  mime: string;
}

/** An image that the gateway has put into the object store for a job to come. */
export interface StoredImage extends ImageRef {
  object_key: string;
  /** The field of the request that it came in, for whoever has to name it. */
  param: string;
}

/** A LoRA as the request named it. */
export interface LoraInput {
  id?: string;
  url?: string;
  low_url?: string;
  strength?: number;
}

export const OUTPUT_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** A ratio picks the nearest size that the model lists (decisions: Sizes). */
export const ASPECT_RATIOS = ['1:1', '4:5', '2:3', '5:4', '3:2', '16:9', '9:16'] as const;
export type AspectRatio = (typeof ASPECT_RATIOS)[number];

/** Seconds (API: VideoGenerationBody.duration). */
export const VIDEO_DURATIONS = [5, 8] as const;
export type VideoDuration = (typeof VIDEO_DURATIONS)[number];

/** What a client may ask of a text-to-image job, as sent. */
export interface ImageGenerationWish {
  prompt: string;
  model?: string;
  negative_prompt?: string;
  size?: string;
  aspect_ratio?: AspectRatio;
  n?: Integer;
  seed?: Integer;
  steps?: Integer;
  guidance?: number;
  loras?: LoraInput[];
  output_format?: OutputFormat;
}

/** What a client may ask of an edit, its images aside. */
export interface ImageEditWish {
  prompt: string;
  model?: string;
  negative_prompt?: string;
  size?: string;
  seed?: Integer;
  output_format?: OutputFormat;
}

/** What a client may ask of a video, its start frame aside. */
export interface VideoGenerationWish {
  model?: string;
  prompt?: string;
  negative_prompt?: string;
  duration?: VideoDuration;
  seed?: Integer;
  loras?: LoraInput[];
}

/**
 * What a text-to-image job was asked for, with every default in place.
 * @additionalProperties true
 */
export interface ImageGenerationInput extends ImageGenerationWish {
  model: string;
  size: string;
  n: Integer;
  seed: Integer;
  steps?: Integer;
  guidance?: number;
  output_format: OutputFormat;
}

/**
 * What an edit was asked for, with every default in place; `image` and `images` are told as `images`.
 * @additionalProperties true
 */
export interface ImageEditInput extends ImageEditWish {
  model: string;
  images: ImageRef[];
  size: string;
  n: 1;
  seed: Integer;
  output_format: OutputFormat;
}

/**
 * What a video was asked for, with every default in place.
 * @additionalProperties true
 */
export interface VideoGenerationInput extends VideoGenerationWish {
  model: string;
  /** The start frame, the only one. */
  images: ImageRef[];
  size: string;
  duration: VideoDuration;
  seed: Integer;
}

export type JobInput = ImageGenerationInput | ImageEditInput | VideoGenerationInput;
