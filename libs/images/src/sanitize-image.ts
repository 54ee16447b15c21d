import { decoding, openImage } from './image-decoder';
import { encodeAs } from './image-encoder';
import { type ImageBounds, readHeader } from './image-header';
import { type ImageFacts, INPUT_BOUNDS, toFacts } from './inspect-image';

export interface SanitizedImage {
  /** Upright, without metadata or trailing data, in the format that it came in. */
  bytes: Buffer;
  /** Of the image as received, as `inspectImage` tells them. */
  facts: ImageFacts;
}

/** Makes a client's image fit to be handed to a provider. It checks all that `inspectImage` checks, in the same decode. */
export async function sanitizeImage(bytes: Buffer, bounds: ImageBounds = INPUT_BOUNDS): Promise<SanitizedImage> {
  const header = await readHeader(bytes, bounds);
  const sanitized = await decoding(() => encodeAs(openImage(bytes), header.format).toBuffer());
  return { bytes: sanitized, facts: toFacts(bytes, header) };
}
