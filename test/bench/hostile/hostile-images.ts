import sharp from 'sharp';
import { greyPng } from '../../../apps/gateway/test/image.fixtures';

const HEAVY_IMAGE_BYTES = 9_900_000;
const LARGEST_SIDE_PX = 4_096;

/** Small in pixels, and nearly as large in bytes as an input may be. */
export function heavyImage(): Buffer {
  return greyPng(64, 64, HEAVY_IMAGE_BYTES);
}

/** Small in bytes, and as large in pixels as an input may be. */
export function largestImage(): Promise<Buffer> {
  const background = { r: 200, g: 80, b: 40, alpha: 0.5 };
  return sharp({ create: { width: LARGEST_SIDE_PX, height: LARGEST_SIDE_PX, channels: 4, background } })
    .png()
    .toBuffer();
}
