import { createRandom } from '../raster/random';
import { type DrawOrder } from '../drawing/draw-order';

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const MP4_FILE_TYPE = Buffer.from('\0\0\0\x10ftypisom\0\0\x02\0', 'latin1');

/** Bytes that begin like a PNG or an MP4 file and are invalid: the output of a broken worker. */
export function corruptFile({ operation, seed }: DrawOrder): Uint8Array {
  const random = createRandom(seed);
  const start = operation === 'video.generation' ? MP4_FILE_TYPE : PNG_SIGNATURE;
  return Uint8Array.from({ length: 4096 }, (_, i) => start[i] ?? Math.floor(random() * 256));
}
