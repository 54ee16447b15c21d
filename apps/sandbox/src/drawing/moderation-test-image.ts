import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { fromSharp, type RgbImage } from '../raster/rgb-image';

const MODERATION_TEST_IMAGE = path.resolve(__dirname, '../../assets/moderation-test.png');

/** Stretched, not cropped, and in no style: moderation must recognise all of it. */
export async function moderationTestImage(width: number, height: number): Promise<RgbImage> {
  const file = sharp(await readFile(MODERATION_TEST_IMAGE));
  return fromSharp(file.resize(width, height, { fit: 'fill', kernel: 'nearest' }));
}
