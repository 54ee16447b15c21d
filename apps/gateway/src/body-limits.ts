import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import { IMAGE_TEXT_CHARS } from '@kinora/contracts/jobs/image-input';
import { ProvenanceCheckBody } from '@kinora/contracts/jobs/provenance-check.body';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { imageJsonBytes, maxBodyBytes } from '@kinora/contracts/shared/json-size';
import { INPUT_BOUNDS } from '@kinora/images';

/**
 * Limits of bodies with texts only are rounded up to whole KiB, those of bodies with images to 500,000 bytes. The result
 * is a plain number and leaves room for white space.
 */
const TEXT_STEP_BYTES = 1_024;
const IMAGE_STEP_BYTES = 500_000;

/**
 * The largest body that each creating operation accepts. It is computed from the field rules, so a field that is added or
 * lengthened there stays within the limit.
 */
export const BODY_MAX_BYTES = {
  'image.generation': roundUp(maxBodyBytes(ImageGenerationBody), TEXT_STEP_BYTES),
  // `image` and `images` hold three images together, and the rules of the fields allow one and three.
  'image.edit': roundUp(maxBodyBytes(ImageEditBody) - imageJsonBytes(IMAGE_TEXT_CHARS.max), IMAGE_STEP_BYTES),
  'video.generation': roundUp(maxBodyBytes(VideoGenerationBody), IMAGE_STEP_BYTES),
} as const;

/** The same three images as files. The texts of a form are not escaped, so those of JSON leave room for its headers. */
export const EDIT_FORM_MAX_BYTES = roundUp(
  maxBodyBytes(ImageEditBody) - 4 * imageJsonBytes(IMAGE_TEXT_CHARS.max) + 3 * INPUT_BOUNDS.maxBytes,
  IMAGE_STEP_BYTES,
);

/** A quote takes the body of any of them. What surrounds it fits into the rounding. */
export const QUOTE_BODY_MAX_BYTES = Math.max(...Object.values(BODY_MAX_BYTES));

/** A file to check: an image like those of other fields, or a video like those that a job makes. */
export const CHECKED_FILE_MAX_BYTES = {
  'image/png': INPUT_BOUNDS.maxBytes,
  'image/jpeg': INPUT_BOUNDS.maxBytes,
  'image/webp': INPUT_BOUNDS.maxBytes,
  'video/mp4': 64 * 1024 * 1024,
} as const;

export const CHECK_BODY_MAX_BYTES = roundUp(maxBodyBytes(ProvenanceCheckBody), IMAGE_STEP_BYTES);

function roundUp(bytes: number, step: number): number {
  return Math.ceil(bytes / step) * step;
}
