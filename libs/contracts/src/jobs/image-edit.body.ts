import {
  IsImageSource,
  IsListOfImageSources,
  IsIntegerIn,
  IsOneOf,
  IsSize,
  IsText,
  IsVisibleText,
  Optional,
} from '../shared/field-rules';
import type { Integer } from '../shared/scalars';
import { IMAGE_TEXT_CHARS, type ImageText } from './image-input';
import { OUTPUT_FORMATS, type OutputFormat } from './job-choices';
import { JobBody } from './job.body';

/** The request for an edit: one to three images, in `image`, in `images`, or in both, which are then joined. */
export class ImageEditBody extends JobBody {
  /** The instruction, passed to the model verbatim. */
  @IsVisibleText({ min: 1, max: 2000 })
  prompt!: string;

  /**
   * A model that can do `edit`.
   * @default "image-edit"
   */
  @Optional()
  @IsText({ min: 1, max: 64 })
  model?: string;

  /** A public https URL, or a data URI in base64. */
  @Optional()
  @IsImageSource(IMAGE_TEXT_CHARS)
  image?: ImageText;

  /** Public https URLs, or data URIs in base64. */
  @Optional()
  @IsListOfImageSources({ min: 1, max: 3 }, IMAGE_TEXT_CHARS)
  images?: ImageText[];

  /** What the result should not show. */
  @Optional()
  @IsText({ min: 0, max: 1000 })
  negative_prompt?: string;

  /** Width, the letter x, height, within the bounds of the model; the size of the first image when left out. */
  @Optional()
  @IsSize()
  size?: string;

  /** The same seed and request make the same result; random when left out. */
  @Optional()
  @IsIntegerIn({ min: 0, max: 2_147_483_647 })
  seed?: Integer;

  /**
   * The file type of the result.
   * @default "png"
   */
  @Optional()
  @IsOneOf(OUTPUT_FORMATS)
  output_format?: OutputFormat;
}
