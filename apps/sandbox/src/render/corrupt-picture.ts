import { createRandom } from '../raster/random';
import { type DrawOrder } from './draw-order';

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Bytes that begin like a PNG and are none: what a broken worker hands over. */
export function corruptPicture({ seed }: DrawOrder): Uint8Array {
  const random = createRandom(seed);
  return Uint8Array.from({ length: 4096 }, (_, i) => PNG_SIGNATURE[i] ?? Math.floor(random() * 256));
}
