import sharp, { type Sharp } from 'sharp';
import { linearToSrgb, srgbToLinear } from './colour';
import { clamp } from './curve';
import { createRaster, type Raster } from './raster';

/** An image as files store it: three bytes per pixel, sRGB, red first. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export function toSharp({ width, height, data }: RgbImage): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

export async function fromSharp(image: Sharp): Promise<RgbImage> {
  const flat = image.flatten({ background: '#ffffff' }).toColourspace('srgb').removeAlpha();
  const { data, info } = await flat.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: info.channels === 1 ? tripled(data) : data };
}

/** Grey images come with one byte per pixel, regardless of the requested colour space. */
function tripled(greys: Uint8Array): Uint8Array {
  const data = new Uint8Array(greys.length * 3);
  greys.forEach((grey, pixel) => data.fill(grey, pixel * 3, pixel * 3 + 3));
  return data;
}

const LINEAR = Float32Array.from({ length: 256 }, (_, value) => srgbToLinear(value / 255));

/** Converts to linear light, in which rain, fog and glow are added. */
export function toRaster({ width, height, data }: RgbImage): Raster {
  const raster = createRaster(width, height);
  for (let i = 0; i < data.length; i++) raster.data[i] = LINEAR[data[i]!]!;
  return raster;
}

/** Converts back to bytes without any change of tone. */
export function toRgbImage({ width, height, data }: Raster): RgbImage {
  return { width, height, data: Uint8Array.from(data, (light) => Math.round(clamp(linearToSrgb(light), 0, 1) * 255)) };
}

/** Draws `over` on `under`; both have the same size. */
export function blendImages(under: RgbImage, over: RgbImage, amount: number): RgbImage {
  if (amount >= 1) return over;
  const data = new Uint8Array(under.data.length);
  for (let i = 0; i < data.length; i++) data[i] = under.data[i]! + (over.data[i]! - under.data[i]!) * amount;
  return { width: under.width, height: under.height, data };
}

/** Changes each pixel on its own; `change` works on red, green and blue from 0 to 255. */
export function mapPixels(
  { width, height, data }: RgbImage,
  change: (colour: Float32Array, x: number, y: number, offset: number) => void,
): RgbImage {
  const changed = new Uint8ClampedArray(data.length);
  const colour = new Float32Array(3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let c = 0; c < 3; c++) colour[c] = data[pixel * 3 + c]!;
    change(colour, pixel % width, Math.floor(pixel / width), pixel * 3);
    changed.set(colour, pixel * 3);
  }
  return { width, height, data: new Uint8Array(changed.buffer) };
}

export function toneOf(colour: ArrayLike<number>): number {
  return colour[0]! * 0.299 + colour[1]! * 0.587 + colour[2]! * 0.114;
}

/** The length by which marks are sized, so that they look the same at every size of the image. */
export function measure({ width, height }: RgbImage): number {
  return Math.sqrt(width * height);
}
