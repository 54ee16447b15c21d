import { decoding, openImage } from './image-decoder';

/** Enough for a preview, and about a fifth of the size of the best. */
const QUALITY = 80;

/** A WebP of at most this width, in the ratio of the image and without its metadata. @throws ImageProblem */
export async function makeThumbnail(bytes: Buffer, widthPx: number): Promise<Buffer> {
  return decoding(() =>
    openImage(bytes)
      .rotate()
      .resize({ width: widthPx, withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer(),
  );
}
