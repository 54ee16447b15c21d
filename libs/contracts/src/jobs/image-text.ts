import type { Range } from '../shared/field-rules';

/** A text as it was sent, or the bytes of a data URI that was decoded on its way in. */
export type ImageText = string | Uint8Array;

/** The most is base64 of 10 MiB and the head of a data URI. */
export const IMAGE_TEXT_CHARS: Range = { min: 1, max: 13_981_078 };
