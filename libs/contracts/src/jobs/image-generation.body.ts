import { IsIntegerIn, IsListOf, IsNumberIn, IsOneOf, IsSize, IsText, Optional } from '../shared/field-rules';
import { ASPECT_RATIOS, type AspectRatio, OUTPUT_FORMATS, type OutputFormat } from './job-inputs';
import { JobBody } from './job.body';
import { LoraBody } from './lora.body';

/** The body of POST /images/generations; its fields stand in the order of the interface's table. */
export class ImageGenerationBody extends JobBody {
  @IsText({ min: 1, max: 2000 })
  prompt!: string;

  @Optional()
  @IsText({ min: 1, max: 64 })
  model?: string;

  @Optional()
  @IsText({ min: 0, max: 1000 })
  negative_prompt?: string;

  @Optional()
  @IsSize()
  size?: string;

  @Optional()
  @IsOneOf(ASPECT_RATIOS)
  aspect_ratio?: AspectRatio;

  @Optional()
  @IsIntegerIn({ min: 1, max: 4 })
  n?: number;

  @Optional()
  @IsIntegerIn({ min: 0, max: 2_147_483_647 })
  seed?: number;

  @Optional()
  @IsIntegerIn({ min: 1, max: 50 })
  steps?: number;

  @Optional()
  @IsNumberIn({ min: 0, max: 20 })
  guidance?: number;

  @Optional()
  @IsListOf(LoraBody, { min: 0, max: 3 })
  loras?: LoraBody[];

  @Optional()
  @IsOneOf(OUTPUT_FORMATS)
  output_format?: OutputFormat;
}
