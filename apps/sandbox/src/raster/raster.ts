import { type Colour } from './colour';

/** An image in linear light: three floats per pixel, red first. 1 is white; light sources exceed it. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export function createRaster(width: number, height: number): Raster {
  return { width, height, data: new Float32Array(width * height * 3) };
}

/** Blends `colour` over the pixel that starts at `offset`; alpha 1 replaces it. */
export function blendAt(data: Float32Array, offset: number, colour: Colour, alpha: number): void {
  data[offset] = data[offset]! + (colour[0] - data[offset]!) * alpha;
  data[offset + 1] = data[offset + 1]! + (colour[1] - data[offset + 1]!) * alpha;
  data[offset + 2] = data[offset + 2]! + (colour[2] - data[offset + 2]!) * alpha;
}

/** Adds light to the pixel that starts at `offset`, as a glow does. */
export function addAt(data: Float32Array, offset: number, colour: Colour, amount: number): void {
  data[offset] = data[offset]! + colour[0] * amount;
  data[offset + 1] = data[offset + 1]! + colour[1] * amount;
  data[offset + 2] = data[offset + 2]! + colour[2] * amount;
}

/**
 * The interpolated colour at a point between pixels, clamped at the edges, written to `into` so that hot loops allocate
 * nothing.
 */
export function sampleInto(raster: Raster, x: number, y: number, into: Float32Array): void {
  const { width, height, data } = raster;
  const cx = x < 0 ? 0 : x > width - 1.001 ? width - 1.001 : x;
  const cy = y < 0 ? 0 : y > height - 1.001 ? height - 1.001 : y;
  const x0 = cx | 0;
  const y0 = cy | 0;
  const fx = cx - x0;
  const fy = cy - y0;
  const top = (y0 * width + x0) * 3;
  const right = width > 1 ? 3 : 0;
  const bottom = height > 1 ? top + width * 3 : top;
  for (let c = 0; c < 3; c++) {
    const upper = data[top + c]! + (data[top + right + c]! - data[top + c]!) * fx;
    const lower = data[bottom + c]! + (data[bottom + right + c]! - data[bottom + c]!) * fx;
    into[c] = upper + (lower - upper) * fy;
  }
}
