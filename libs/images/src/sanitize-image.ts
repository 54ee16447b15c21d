import { decoding, openImage } from './image-decoder';
import { encodeAs } from './image-encoder';
import { type ImageBounds, readHeader } from './image-header';
import { type ImageFacts, INPUT_BOUNDS, toFacts } from './inspect-image';

export interface SanitizedImage {
  /** Upright, without metadata or trailing data, in the original format. */
  bytes: Buffer;
  /** The facts of the image as received, as `inspectImage` returns them. */
  facts: ImageFacts;
}

/**
 * Prepares a client's image for a provider. It makes all the checks of `inspectImage` in the same decode. An image with
 * a side above `maxSidePx` is shrunk to it, because a small file can become many times as large when encoded anew.
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
