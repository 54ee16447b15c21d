import sharp, { type Sharp } from 'sharp';
import { decoding, openImage } from '@kinora/images';
import { PLANE_SIDE, type Plane } from './perceptual-hash';

const SHAPE = { width: PLANE_SIDE, height: PLANE_SIDE, fit: 'fill' } as const;

/**
 * What can be seen of a picture, shrunk. A transparent one shows itself in two ways: over white, and as a program sees
 * it that takes no notice of transparency. Either could hide what the other shows.
 * @throws ImageProblem for what is no whole picture.
 */
export async function readPlanes(bytes: Buffer): Promise<Plane[]> {
  const { hasAlpha } = await decoding(() => openImage(bytes).metadata());
  const overWhite = await shrink(openImage(bytes).flatten({ background: '#ffffff' }));
  return hasAlpha ? [overWhite, await shrink(await withoutAlpha(bytes))] : [overWhite];
}

/** The colours under the transparency. Shrinking weighs each pixel by its alpha, so alpha must be gone before. */
async function withoutAlpha(bytes: Buffer): Promise<Sharp> {
  const { data, info } = await decoding(() =>
    openImage(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
  );
  return sharp(data, { raw: info });
}

async function shrink(image: Sharp): Promise<Plane> {
  const rgb = await decoding(() => image.resize(SHAPE).toColourspace('srgb').removeAlpha().raw().toBuffer());
  const channels = rgb.length / PLANE_SIDE ** 2;
  return Float64Array.from({ length: PLANE_SIDE ** 2 }, (_, pixel) => {
    const [red = 0, green = red, blue = red] = rgb.subarray(pixel * channels, (pixel + 1) * channels);
    return 0.299 * red + 0.587 * green + 0.114 * blue;
  });
}
