import { linearToSrgb } from '../raster/colour';
import { clamp } from '../raster/curve';
import { createColourCube, type Grade, lookUpColour } from './grade';
import { type RgbImage } from '../raster/rgb-image';
import { type Raster } from '../raster/raster';

const TABLE_SIZE = 8192;
const TABLE_LIMIT = 16;
const TONES = toneTable();

/** Converts light to bytes: soft shoulder, sRGB, slight grain, and dither so that no gradient shows bands. */
export function develop(raster: Raster, grain: number, grade?: Grade): RgbImage {
  const { width, height, data } = raster;
  const cube = grade ? createColourCube(grade) : undefined;
  const colour = new Float32Array(3);
  const bytes = new Uint8Array(width * height * 3);
  let state = 0x9e3779b9;
  for (let pixel = 0; pixel < width * height; pixel++) {
    // One xorshift step gives the pixel's grain and its dither, without a function call.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const first = (state & 0xffff) / 65536;
    const second = (state >>> 16) / 65536;
    const speck = (first + second - 1) * grain;
    for (let c = 0; c < 3; c++) {
      const light = data[pixel * 3 + c]!;
      colour[c] = TONES[(Math.sqrt(light < 0 ? 0 : light > TABLE_LIMIT ? TABLE_LIMIT : light) * TABLE_SCALE) | 0]!;
    }
    if (cube) lookUpColour(cube, colour);
    for (let c = 0; c < 3; c++) {
      const dither = c === 0 ? first : c === 1 ? second : (first + second) % 1;
      const value = colour[c]! + speck + dither;
      bytes[pixel * 3 + c] = value < 0 ? 0 : value > 255 ? 255 : value | 0;
    }
  }
  return { width, height, data: bytes };
}

const TABLE_SCALE = (TABLE_SIZE - 1) / Math.sqrt(TABLE_LIMIT);

function toneTable(): Float32Array {
  return Float32Array.from({ length: TABLE_SIZE }, (_, i) => {
    const light = (i / (TABLE_SIZE - 1)) ** 2 * TABLE_LIMIT;
    return clamp(linearToSrgb(shoulder(light)), 0, 1) * 255;
  });
}

/** Linear up to a knee, then compressed towards white: highlights keep their hue instead of clipping. */
function shoulder(light: number): number {
  const knee = 0.62;
  if (light <= knee) return light;
  const over = (light - knee) / (1 - knee);
  return knee + (1 - knee) * (1 - Math.exp(-over * 0.9));
}
