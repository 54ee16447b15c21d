import {
  IsImageSource,
  IsListOfImageSources,
  IsIntegerIn,
  IsOneOf,
  IsSize,
  IsText,
  Optional,
  type Range,
} from '../shared/field-rules';
import { OUTPUT_FORMATS, type OutputFormat } from './job-inputs';
import { JobBody } from './job.body';

/** A text as it was sent, or the bytes of a data URI that was decoded on its way in. */
export type ImageText = string | Uint8Array;

/** The most is base64 of 10 MiB and the head of a data URI. */
const IMAGE_SOURCE_CHARS: Range = { min: 1, max: 13_981_078 };

/** The body of POST /images/edits; its fields stand in the order of the interface's table. */
export class ImageEditBody extends JobBody {
  @IsText({ min: 1, max: 2000 })
  prompt!: string;

  @Optional()
  @IsText({ min: 1, max: 64 })
  model?: string;

  @Optional()
  @IsImageSource(IMAGE_SOURCE_CHARS)
  image?: ImageText;

  @Optional()
  @IsListOfImageSources({ min: 1, max: 3 }, IMAGE_SOURCE_CHARS)
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
