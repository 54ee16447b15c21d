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

/**
 * Makes a client's image fit to be handed to a provider. It checks all that `inspectImage` checks, in the same decode.
 * A side longer than `maxSidePx` shrinks the image to it: encoded anew, a small file can be many times as large.
 */
export async function sanitizeImage(
  bytes: Buffer,
  { bounds = INPUT_BOUNDS, maxSidePx }: { bounds?: ImageBounds; maxSidePx?: number } = {},
): Promise<SanitizedImage> {
  const header = await readHeader(bytes, bounds);
  const upright = openImage(bytes);
  const fitted =
    maxSidePx === undefined
      ? upright
      : upright.resize({ width: maxSidePx, height: maxSidePx, fit: 'inside', withoutEnlargement: true });
  const sanitized = await decoding(() => encodeAs(fitted, header.format).toBuffer());
  return { bytes: sanitized, facts: toFacts(bytes, header) };
}
