import { IsImageSource, IsIntegerIn, IsListOf, IsOneOf, IsText, Optional } from '../shared/field-rules';
import { IMAGE_TEXT_CHARS, type ImageText } from './image-text';
import { VIDEO_DURATIONS, type VideoDuration } from './job-inputs';
import { JobBody } from './job.body';
import { VideoLoraBody } from './lora.body';

/** The body of POST /videos/generations; its fields stand in the order of the interface's table. */
export class VideoGenerationBody extends JobBody {
  @IsImageSource(IMAGE_TEXT_CHARS)
  image!: ImageText;

  @Optional()
  @IsText({ min: 1, max: 64 })
  model?: string;

  @Optional()
  @IsText({ min: 0, max: 1500 })
  prompt?: string;

  @Optional()
  @IsText({ min: 0, max: 1000 })
  negative_prompt?: string;

  @Optional()
  @IsOneOf(VIDEO_DURATIONS)
  duration?: VideoDuration;

  @Optional()
  @IsIntegerIn({ min: 0, max: 2_147_483_647 })
  seed?: number;

  @Optional()
  @IsListOf(VideoLoraBody, { min: 0, max: 3 })
  loras?: VideoLoraBody[];
}
