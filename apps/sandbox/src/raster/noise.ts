import { createRandom } from './random';

/** Smooth noise over the plane, about -1 to 1, with features about one unit wide. */
export type Noise = (x: number, y: number) => number;

/** Gradient noise after Perlin: a slope on each lattice point, blended with a quintic so that no lattice is visible. */
export function createNoise(seed: number): Noise {
  const permutation = shuffledBytes(seed);
  const slopeX = new Float64Array(256);
  const slopeY = new Float64Array(256);
  for (let i = 0; i < 256; i++) {
    slopeX[i] = Math.cos((i / 256) * Math.PI * 2) * 1.5;
    slopeY[i] = Math.sin((i / 256) * Math.PI * 2) * 1.5;
  }
  return (x, y) => {
    const floorX = Math.floor(x);
    const floorY = Math.floor(y);
    const fx = x - floorX;
    const fy = y - floorY;
    const column = floorX & 255;
    const row = floorY & 255;
    const left = permutation[column]! + row;
    const right = permutation[(column + 1) & 255]! + row;
    const a = permutation[left]!;
    const b = permutation[right]!;
    const c = permutation[left + 1]!;
    const d = permutation[right + 1]!;
    const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
    const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
    const topLeft = slopeX[a]! * fx + slopeY[a]! * fy;
    const topRight = slopeX[b]! * (fx - 1) + slopeY[b]! * fy;
    const bottomLeft = slopeX[c]! * fx + slopeY[c]! * (fy - 1);
    const bottomRight = slopeX[d]! * (fx - 1) + slopeY[d]! * (fy - 1);
    const top = topLeft + (topRight - topLeft) * u;
    const bottom = bottomLeft + (bottomRight - bottomLeft) * u;
    return top + (bottom - top) * v;
  };
}

/** Sums octaves, each twice as fine and half as strong: clouds, soil, haze. About -1 to 1. */
export function fractal(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let amplitude = 0.5;
  for (let octave = 0; octave < octaves; octave++) {
    sum += amplitude * noise(x, y);
    // The shift prevents the lattices of the octaves from aligning at the origin.
    x = x * 2.03 + 17.3;
    y = y * 2.03 - 9.1;
    amplitude *= 0.5;
  }
  return sum;
}

/**
 * Octaves folded at zero, where each one roughens only what the coarser ones raised: sharp crests, smooth valleys. 0 to
 * about 1.
 */
export function ridged(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let amplitude = 0.5;
  let weight = 1;
  for (let octave = 0; octave < octaves; octave++) {
    const value = noise(x, y);
    // Slightly rounded: a sharp crest would fall between two samples and appear jagged.
    const fold = 1.07 - Math.sqrt(value * value + 0.005);
    const crest = fold * fold * weight;
    sum += crest * amplitude;
    weight = crest > 1 ? 1 : crest;
    x = x * 2.07 + 11.7;
    y = y * 2.07 - 5.3;
    amplitude *= 0.5;
  }
  return sum;
}

function shuffledBytes(seed: number): Uint8Array {
  const random = createRandom(seed);
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 255; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [bytes[i], bytes[j]] = [bytes[j]!, bytes[i]!];
  }
  // Doubled plus one row, so that a sum of two bytes and one needs no modulo.
  const doubled = new Uint8Array(513);
  doubled.set(bytes);
  doubled.set(bytes, 256);
  doubled[512] = bytes[0]!;
  return doubled;
}
