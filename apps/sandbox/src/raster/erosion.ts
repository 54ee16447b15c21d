import { createRandom } from './random';

/** Heights of weathered land, 0 to about 1, with features about one unit wide. */
export type ErodedHeight = (x: number, y: number, octaves: number) => number;

/** Rotates each octave against the one before, so that no direction of the lattice is preferred. */
const TURN_COS = 0.8;
const TURN_SIN = 0.6;

/**
 * Sums octaves of value noise, each damped where the sum so far is already steep. Steep flanks stay smooth and flat
 * places become rough, as in eroded rock.
 */
export function createErosion(seed: number): ErodedHeight {
  const lattice = latticeValues(seed);
  return (x, y, octaves) => {
    let height = 0;
    let amplitude = 0.5;
    let slopeX = 0;
    let slopeY = 0;
    for (let octave = 0; octave < octaves; octave++) {
      const floorX = Math.floor(x);
      const floorY = Math.floor(y);
      const fx = x - floorX;
      const fy = y - floorY;
      const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
      const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
      const du = 30 * fx * fx * (fx * (fx - 2) + 1);
      const dv = 30 * fy * fy * (fy * (fy - 2) + 1);
      const row = (floorY & 255) << 8;
      const nextRow = ((floorY + 1) & 255) << 8;
      const column = floorX & 255;
      const nextColumn = (floorX + 1) & 255;
      const a = lattice[row | column]!;
      const b = lattice[row | nextColumn]!;
      const c = lattice[nextRow | column]!;
      const d = lattice[nextRow | nextColumn]!;
      const twist = a - b - c + d;
      slopeX += du * (b - a + twist * v);
      slopeY += dv * (c - a + twist * u);
      height += (amplitude * (a + (b - a) * u + (c - a) * v + twist * u * v)) / (1 + slopeX * slopeX + slopeY * slopeY);
      amplitude *= 0.5;
      const turned = (x * TURN_COS - y * TURN_SIN) * 2;
      y = (x * TURN_SIN + y * TURN_COS) * 2;
      x = turned;
    }
    return height;
  };
}

function latticeValues(seed: number): Float32Array {
  const random = createRandom(seed);
  return Float32Array.from({ length: 256 * 256 }, () => random());
}
