import type { Operation } from '../catalog/catalog.rpc';

/** The values that a request may choose from. A ratio picks the nearest size of the model (decisions: Sizes). */
export const ASPECT_RATIOS = ['1:1', '4:5', '2:3', '5:4', '3:2', '16:9', '9:16'] as const;
export type AspectRatio = (typeof ASPECT_RATIOS)[number];

export const OUTPUT_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Seconds (API: VideoGenerationBody.duration). */
export const VIDEO_DURATIONS = [5, 8] as const;
export type VideoDuration = (typeof VIDEO_DURATIONS)[number];

/** The model of a request without `model` (decisions: Models). */
export const DEFAULT_MODEL = {
  'image.generation': 'general-image',
  'image.edit': 'image-edit',
  'video.generation': 'image-to-video',
} as const;

/** The public name of each operation that creates jobs: its path with dots. */
export const OPERATION_NAMES = {
  'image.generation': 'images.generations',
  'image.edit': 'images.edits',
  'video.generation': 'videos.generations',
} as const satisfies Record<Operation, string>;

export type OperationName = (typeof OPERATION_NAMES)[Operation];
