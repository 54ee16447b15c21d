import {
  IsIntegerIn,
  IsListOf,
  IsNumberIn,
  IsOneOf,
  IsSize,
  IsText,
  IsVisibleText,
  Optional,
} from '../shared/field-rules';
import type { Integer } from '../shared/scalars';
import { ASPECT_RATIOS, type AspectRatio, OUTPUT_FORMATS, type OutputFormat } from './job-choices';
import { JobBody, LoraBody } from './job.body';

/** The request for a text-to-image job. */
export class ImageGenerationBody extends JobBody {
  /** The prompt, passed to the model verbatim. */
  @IsVisibleText({ min: 1, max: 2000 })
  prompt!: string;

  /**
   * A model with the capability `t2i` (text to image).
   * @default "general-image"
   */
  @Optional()
  @IsText({ min: 1, max: 64 })
  model?: string;

  /** What the result should not show. */
  @Optional()
  @IsText({ min: 0, max: 1000 })
  negative_prompt?: string;

  /** One of the sizes of the model: width, the letter x, height. Wins over `aspect_ratio`; the first size that the model lists when both are left out. */
  @Optional()
  @IsSize()
  size?: string;

  /** Picks the nearest of the sizes of the model. */
  @Optional()
  @IsOneOf(ASPECT_RATIOS)
  aspect_ratio?: AspectRatio;

  /**
   * How many images; the model may allow fewer.
   * @default 1
   */
  @Optional()
  @IsIntegerIn({ min: 1, max: 4 })
  n?: Integer;

  /** The same seed and request make the same image; random when left out. Image i has the seed plus i. */
  @Optional()
  @IsIntegerIn({ min: 0, max: 2_147_483_647 })
  seed?: Integer;

  /** The number of sampling steps. The model sets the default and the limits. */
  @Optional()
  @IsIntegerIn({ min: 1, max: 50 })
  steps?: Integer;

  /** How closely the model follows the prompt. The model sets the default and the limits. */
  @Optional()
  @IsNumberIn({ min: 0, max: 20 })
  guidance?: number;

  /** Applied in this order. */
  @Optional()
  @IsListOf(LoraBody, { min: 0, max: 3 })
  loras?: LoraBody[];

  /**
   * The file type of the result.
   * @default "png"
   */
  @Optional()
  @IsOneOf(OUTPUT_FORMATS)
  output_format?: OutputFormat;
}
