import { type RgbImage } from '../raster/rgb-image';

/** One plane of a frame: one byte per pixel. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A frame as video encoders take it: luma at full size, the two chroma planes at half the size in both directions. */
export interface YuvFrame {
  readonly y: Plane;
  readonly u: Plane;
  readonly v: Plane;
  /** All three planes, one after the other. */
  readonly data: Uint8Array;
}

/** Both sides are even. */
export function createYuvFrame(width: number, height: number): YuvFrame {
  const area = width * height;
  const data = new Uint8Array((area * 3) / 2);
  const half = { width: width / 2, height: height / 2 };
  return {
    y: { width, height, data: data.subarray(0, area) },
    u: { ...half, data: data.subarray(area, (area * 5) / 4) },
    v: { ...half, data: data.subarray((area * 5) / 4) },
    data,
  };
}

/** The weights of red and blue in luma. */
export interface YuvWeights {
  readonly red: number;
  readonly blue: number;
}

/** The encoders here do not record the weights, and players assume these: BT.601 for small videos, else BT.709. */
export function yuvWeightsFor(height: number): YuvWeights {
  return height < 720 ? { red: 0.299, blue: 0.114 } : { red: 0.2126, blue: 0.0722 };
}

/** Converts to the limited range, 16 to 235, which an H.264 stream has by default. */
export function toYuv({ width, height, data }: RgbImage, { red, blue }: YuvWeights): YuvFrame {
  const frame = createYuvFrame(width, height);
  const green = 1 - red - blue;
  const lightness = (at: number): number => data[at]! * red + data[at + 1]! * green + data[at + 2]! * blue;
  for (let i = 0; i < width * height; i++) frame.y.data[i] = 16.5 + (lightness(i * 3) * 219) / 255;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const at = (y * width + x) * 3;
      const square = [at, at + 3, at + width * 3, at + width * 3 + 3];
      let [light, r, b] = [0, 0, 0];
      for (const pixel of square) {
        light += lightness(pixel) / 4;
        r += data[pixel]! / 4;
        b += data[pixel + 2]! / 4;
      }
      const half = (y / 2) * frame.u.width + x / 2;
      frame.u.data[half] = 128.5 + ((b - light) / (1 - blue)) * (112 / 255);
      frame.v.data[half] = 128.5 + ((r - light) / (1 - red)) * (112 / 255);
    }
  }
  return frame;
}
