import type { ImageSides, ImageSource } from '@kinora/client';
import sharp from 'sharp';

const DATA_URI = /^data:[^,]{0,120},/i;

/**
 * The sides in pixels, after EXIF orientation, from which a price may follow. Null for an address, which this server does not
 * open, and for bytes that are no image, which the API refuses.
 */
export async function readSides(source: ImageSource): Promise<ImageSides | null> {
  const bytes = typeof source === 'string' ? bytesOf(source) : source;
  if (!(bytes instanceof Uint8Array)) return null;
  return await sharp(bytes)
    .metadata()
    .then(
      ({ autoOrient: { width, height } }) => ({ width, height }),
      () => null,
    );
}

function bytesOf(text: string): Uint8Array | null {
  const [header] = DATA_URI.exec(text) ?? [];
  return header === undefined ? null : Buffer.from(text.slice(header.length), 'base64');
}
