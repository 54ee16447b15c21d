import {
  IsImageSource,
  IsListOfImageSources,
  IsIntegerIn,
  IsOneOf,
  IsSize,
  IsText,
  Optional,
} from '../shared/field-rules';
import { IMAGE_TEXT_CHARS, type ImageText } from './image-text';
import { OUTPUT_FORMATS, type OutputFormat } from './job-inputs';
import { JobBody } from './job.body';

/** The body of POST /images/edits; its fields stand in the order of the interface's table. */
export class ImageEditBody extends JobBody {
  @IsText({ min: 1, max: 2000 })
  prompt!: string;

  @Optional()
  @IsText({ min: 1, max: 64 })
  model?: string;

  @Optional()
  @IsImageSource(IMAGE_TEXT_CHARS)
  image?: ImageText;

  @Optional()
  @IsListOfImageSources({ min: 1, max: 3 }, IMAGE_TEXT_CHARS)
  images?: ImageText[];

  @Optional()
  @IsText({ min: 0, max: 1000 })
  negative_prompt?: string;

  @Optional()
  @IsSize()
  size?: string;

  @Optional()
  @IsIntegerIn({ min: 0, max: 2_147_483_647 })
  seed?: number;

  @Optional()
  @IsOneOf(OUTPUT_FORMATS)
  output_format?: OutputFormat;
}
