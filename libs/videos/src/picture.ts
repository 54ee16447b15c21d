import type { SequenceParameters } from './sequence-parameters';

/** A decoded picture in I420: a byte of luma for each pixel, then a quarter as many of each chroma. */
export interface Picture {
  width: number;
  height: number;
  planes: Uint8Array;
}

export function i420Bytes(width: number, height: number): number {
  return (width * height * 3) / 2;
}

/** What a player shows of a picture that was decoded with its padding. */
export function cropped(picture: Picture, { width, height, left, top }: SequenceParameters): Picture {
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

/** Three bytes a pixel, by BT.601 in its narrow range; other matrices differ by a tint that no engine minds. */
export function toRgb({ width, height, planes }: Picture): Buffer {
  const rgb = Buffer.alloc(width * height * 3);
  const colours = new Uint8ClampedArray(rgb.buffer, rgb.byteOffset, rgb.length);
  const chromaBytes = (width * height) / 4;
  for (let i = 0; i < width * height; i++) {
    const chroma = width * height + (Math.floor(i / width) >> 1) * (width / 2) + ((i % width) >> 1);
    const luma = 1.164 * ((planes[i] ?? 0) - 16);
    const blueness = (planes[chroma] ?? 0) - 128;
    const redness = (planes[chroma + chromaBytes] ?? 0) - 128;
    colours[i * 3] = luma + 1.596 * redness;
    colours[i * 3 + 1] = luma - 0.813 * redness - 0.392 * blueness;
    colours[i * 3 + 2] = luma + 2.017 * blueness;
  }
  return rgb;
}
