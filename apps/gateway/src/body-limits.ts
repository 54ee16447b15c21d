import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import { IMAGE_TEXT_CHARS } from '@kinora/contracts/jobs/image-text';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { imageJsonBytes, maxBodyBytes } from '@kinora/contracts/shared/json-size';

/** Texts alone are rounded up to whole KiB, bodies with images to half megabytes: a plain number, with room for white space. */
const TEXT_STEP_BYTES = 1_024;
const IMAGE_STEP_BYTES = 500_000;

/**
 * The largest body of each creating operation. The field rules give it, so that a field added or lengthened there is not
 * refused here.
 */
export const BODY_MAX_BYTES = {
  'image.generation': roundUp(maxBodyBytes(ImageGenerationBody), TEXT_STEP_BYTES),
  // `image` and `images` hold three images together, and the rules of the fields allow one and three.
  'image.edit': roundUp(maxBodyBytes(ImageEditBody) - imageJsonBytes(IMAGE_TEXT_CHARS.max), IMAGE_STEP_BYTES),
  'video.generation': roundUp(maxBodyBytes(VideoGenerationBody), IMAGE_STEP_BYTES),
} as const;

function roundUp(bytes: number, step: number): number {
  return Math.ceil(bytes / step) * step;
}
