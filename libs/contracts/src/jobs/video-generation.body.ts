import { IsImageSource, IsIntegerIn, IsListOf, IsOneOf, IsText, IsVisibleText, Optional } from '../shared/field-rules';
import type { Integer } from '../shared/scalars';
import { IMAGE_TEXT_CHARS, type ImageText } from './image-input';
import { VIDEO_DURATIONS, type VideoDuration } from './job-choices';
import { JobBody, VideoLoraBody } from './job.body';

/** The request for a video. */
export class VideoGenerationBody extends JobBody {
  /** The start frame: a public https URL, or a data URI in base64. Its aspect ratio is kept. */
  @IsImageSource(IMAGE_TEXT_CHARS)
  image!: ImageText;

  /**
   * A model that can do `i2v`.
   * @default "image-to-video"
   */
  @Optional()
  @IsText({ min: 1, max: 64 })
  model?: string;

  /** What moves, and how. Passed to the model verbatim. */
  @Optional()
  @IsVisibleText({ min: 0, max: 1500 })
  prompt?: string;

  /** What the result should not show. */
  @Optional()
  @IsText({ min: 0, max: 1000 })
  negative_prompt?: string;

  /**
   * Seconds; one of the durations of the model.
   * @default 5
   */
  @Optional()
  @IsOneOf(VIDEO_DURATIONS)
  duration?: VideoDuration;

  /** The same seed and request make the same result; random when left out. */
  @Optional()
  @IsIntegerIn({ min: 0, max: 2_147_483_647 })
  seed?: Integer;

  /** Applied in this order. */
  @Optional()
  @IsListOf(VideoLoraBody, { min: 0, max: 3 })
  loras?: VideoLoraBody[];
}
