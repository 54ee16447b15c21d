import { decoding, openImage } from './image-decoder';
import { encodeAs } from './image-encoder';
import { type ImageBounds, type ImageHeader, readHeader } from './image-header';
import { type ImageFacts, INPUT_BOUNDS, toFacts } from './inspect-image';
import { passThrough } from './pass-through';

export interface SanitizedImage {
  /** Upright, without metadata or trailing data, in the original format. */
  bytes: Buffer;
  /** The facts of the image as received, as `inspectImage` returns them. */
  facts: ImageFacts;
}

/**
 * Prepares a client's image for a provider. A plain image keeps its coded pixels and loses all else, without a decode: it must
 * have been decoded to its end before, as moderation does with every input. Any other image is encoded anew, and one with a
 * side above `maxSidePx` is shrunk to it, because a small file can become many times as large.
 */
export async function sanitizeImage(
  bytes: Buffer,
  { bounds = INPUT_BOUNDS, maxSidePx = bounds.maxSidePx }: { bounds?: ImageBounds; maxSidePx?: number } = {},
): Promise<SanitizedImage> {
  const header = await readHeader(bytes, bounds);
  const plain = Math.max(header.width, header.height) <= maxSidePx ? await passThrough(bytes, header, null) : null;
  return { bytes: plain ?? (await encodeAnew(bytes, header, maxSidePx)), facts: toFacts(bytes, header) };
}

function encodeAnew(bytes: Buffer, { format }: ImageHeader, maxSidePx: number): Promise<Buffer> {
  const fitted = openImage(bytes).resize({
    width: maxSidePx,
    height: maxSidePx,
    fit: 'inside',
    withoutEnlargement: true,
  });
  return decoding(() => encodeAs(fitted, format).toBuffer());
}
