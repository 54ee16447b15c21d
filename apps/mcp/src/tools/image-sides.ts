import type { ImageSides, ImageSource } from '@kinora/client';
import { decodeDataUri, isDataUri, openImage } from '@kinora/images';

/**
 * The sides in pixels, after EXIF orientation, from which a price may follow. Null for an address, which this server does not
 * open, and for bytes that are no image, which the API refuses.
 */
export async function readSides(source: ImageSource): Promise<ImageSides | null> {
  if (typeof source === 'string' && !isDataUri(source)) return null;
  try {
    const bytes = typeof source === 'string' ? decodeDataUri(source) : source;
    if (!(bytes instanceof Uint8Array)) return null;
    const { width, height } = (await openImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).metadata())
      .autoOrient;
    return { width, height };
  } catch {
    return null;
  }
}
