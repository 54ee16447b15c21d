import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SequenceParameters } from './sequence-parameters';

/** A decoded picture in I420: one byte of luma for each pixel, then a quarter as many of each chroma plane. */
export interface Picture {
  width: number;
  height: number;
  planes: Uint8Array;
}

export function i420Bytes(width: number, height: number): number {
  return (width * height * 3) / 2;
}

/** The part of a decoded picture, which has padding, that a player shows. */
export function cropped(picture: Picture, { width, height, left, top }: SequenceParameters): Picture {
  if (left + width > picture.width || top + height > picture.height) {
    throw new RangeError('The picture is smaller than its parameters say.');
  }
  const planes = new Uint8Array(i420Bytes(width, height));
  let from = 0;
  let to = 0;
  for (const scale of [1, 2, 2]) {
    const stride = picture.width / scale;
    for (let y = 0; y < height / scale; y++) {
      const start = from + (top / scale + y) * stride + left / scale;
      planes.set(picture.planes.subarray(start, start + width / scale), to);
      to += width / scale;
    }
    from += (stride * picture.height) / scale;
  }
  return { width, height, planes };
}

/** About a few milliseconds of work. */
const BAND_PIXELS = 65_536;

/**
 * Three bytes for each pixel, by BT.601 in its narrow range. Other matrices differ by a tint, which no moderation
 * engine depends on. The event loop runs between two bands of rows, because this process also answers requests.
 */
export async function toRgb(picture: Picture): Promise<Buffer> {
  const { width, height } = picture;
  const rgb = Buffer.alloc(width * height * 3);
  const rows = Math.ceil(BAND_PIXELS / width);
  for (let y = 0; y < height; y += rows) {
    if (y > 0) await nextTurn();
    convertRows(picture, rgb, y, Math.min(y + rows, height));
  }
  return rgb;
}

/** Whole numbers, and no division in the inner loop. */
function convertRows({ width, height, planes }: Picture, rgb: Buffer, from: number, to: number): void {
  const colours = new Uint8ClampedArray(rgb.buffer, rgb.byteOffset, rgb.length);
  const chromaBytes = (width * height) / 4;
  let pixel = from * width;
  for (let y = from; y < to; y++) {
    const chromaRow = width * height + (y >> 1) * (width >> 1);
    for (let x = 0; x < width; x++, pixel++) {
      const chroma = chromaRow + (x >> 1);
      const luma = 298 * ((planes[pixel] ?? 0) - 16) + 128;
      const blueness = (planes[chroma] ?? 0) - 128;
      const redness = (planes[chroma + chromaBytes] ?? 0) - 128;
      colours[pixel * 3] = (luma + 409 * redness) >> 8;
      colours[pixel * 3 + 1] = (luma - 208 * redness - 100 * blueness) >> 8;
      colours[pixel * 3 + 2] = (luma + 516 * blueness) >> 8;
    }
  }
}
