import type { Range } from '../shared/field-rules';
import type { Integer } from '../shared/scalars';

/** The sides of an image in pixels, after its EXIF orientation. */
export interface ImageSides {
  width: Integer;
  height: Integer;
}

/** A text as received, or the bytes of a data URI that was decoded while it was received. */
export type ImageText = string | Uint8Array;

/** The maximum is base64 of 10 MiB and the head of a data URI. */
export const IMAGE_TEXT_CHARS: Range = { min: 1, max: 13_981_078 };
