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
