import type { Count, Integer } from '../shared/scalars';
import type { ImageEditBody } from './image-edit.body';
import type { ImageGenerationBody } from './image-generation.body';
import type { OutputFormat, VideoDuration } from './job-choices';
import type { JobBody } from './job.body';
import type { VideoGenerationBody } from './video-generation.body';

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
  /** The field of the request that held the image; errors about the image name it. */
  param: string;
}

/** A LoRA as the request named it. */
export interface LoraInput {
  id?: string;
  url?: string;
  low_url?: string;
  strength?: number;
}

/** The fields of a body that describe the output; `webhook_url`, `metadata` and images travel beside them. */
export type ClientInput<Body extends JobBody> = Omit<Body, keyof JobBody | 'image' | 'images'>;

/**
 * What a text-to-image job was asked for, with every default in place.
 * @additionalProperties true
 */
export interface ImageGenerationInput extends ClientInput<ImageGenerationBody> {
  /** The model that makes the images. */
  model: string;
  /** Width, the letter x, height. */
  size: string;
  /** How many images. */
  n: Integer;
  /** Of the first image. */
  seed: Integer;
  steps?: Integer;
  loras?: LoraInput[];
  /** The file type of the result. */
  output_format: OutputFormat;
}

/**
 * What an edit was asked for, with every default in place; `images` holds those of `image` and of `images`.
 * @additionalProperties true
 */
export interface ImageEditInput extends ClientInput<ImageEditBody> {
  /** The model that makes the image. */
  model: string;
  /** That of `image` first, then those of `images`. */
  images: ImageRef[];
  /** Width, the letter x, height. */
  size: string;
  n: 1;
  /** Of the image. */
  seed: Integer;
  /** The file type of the result. */
  output_format: OutputFormat;
}

/**
 * What a video was asked for, with every default in place.
 * @additionalProperties true
 */
export interface VideoGenerationInput extends ClientInput<VideoGenerationBody> {
  /** The model that makes the video. */
  model: string;
  /** The start frame, the only one. */
  images: ImageRef[];
  /** Width, the letter x, height. */
  size: string;
  /** Seconds. */
  duration: VideoDuration;
  /** Of the video. */
  seed: Integer;
  loras?: LoraInput[];
}

export type JobInput = ImageGenerationInput | ImageEditInput | VideoGenerationInput;
