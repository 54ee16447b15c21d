import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { fromSharp, type Picture } from '../raster/picture';

const MODERATION_TEST_PICTURE = path.resolve(__dirname, '../../assets/moderation-test.png');

/** Stretched, not cropped, and in no style: moderation has to recognise all of it. */
export async function moderationTestPicture(width: number, height: number): Promise<Picture> {
  const file = sharp(await readFile(MODERATION_TEST_PICTURE));
  return fromSharp(file.resize(width, height, { fit: 'fill', kernel: 'nearest' }));
}
