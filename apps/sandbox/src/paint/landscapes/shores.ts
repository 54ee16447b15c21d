import { mix, clamp, smoothstep } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { between } from '../../raster/random';
import { type Terrain } from '../ground/terrain';
import { noiseFor, randomFor, type Stage } from '../stage';
import { erosionFor, octavesFor } from './relief';
import { alpineSoil, shoreSoil } from './soil';

export function island(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  const eroded = erosionFor(stage);
  const random = randomFor(stage, 'island');
  const centreX = between(random, -0.7, 0.7);
  const centreZ = between(random, 4.4, 5.2);
  const radius = between(random, 1.7, 2.3);
  return {
    eye: 0.34,
    near: 1,
    far: 16,
    mist: 0.4,
    flooded: true,
    albedo: shoreSoil(stage, 0.06),
    height: (x, z, grain) => {
      const rough = fractal(noise, x * 0.9 + 5, z * 0.9, octavesFor(0.9, grain, stage));
      const away = Math.hypot((x - centreX) / radius, (z - centreZ) / 1.2) + rough * 0.5;
      if (away > 1.1) return -0.08;
      const beach = smoothstep(1.05, 0.55, away) * 0.17;
      const hill =
        smoothstep(0.85, 0.1, away) * eroded(x * 0.8 + 11, z * 0.8 + 3, octavesFor(0.8, grain, stage)) * 1.35;
      return -0.08 + beach + hill;
    },
  };
}

export function coast(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  const side = -stage.light.side;
  return {
    eye: 0.5,
    near: 0.9,
    far: 16,
    mist: 0.5,
    flooded: true,
    albedo: shoreSoil(stage, 0.012),
    height: (x, z, grain) => {
      const rough = fractal(noise, x * 0.8 + 5, z * 0.8, octavesFor(0.8, grain, stage));
      // Positive on land: a headland that extends into the sea and ends between the middle distance and the horizon.
      const tip = mix(0.45, 2.6, smoothstep(2.2, 5.2, Math.abs(z - 3.4) + 2.2));
      const inland = x * side - tip + rough * 0.55;
      const cliff = smoothstep(-0.06, 0.16, inland) * 0.34;
      const boulders =
        smoothstep(-0.4, 0.02, inland) *
        0.09 *
        Math.max(0, fractal(noise, x * 7, z * 7, octavesFor(7, grain, stage)) + 0.25);
      return -0.05 + cliff + boulders + smoothstep(0, 1.8, inland) * 0.26 * (1 + rough * 0.7);
    },
  };
}

/** Open water, with faint isles far out for about half of the seeds. */
export function sea(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  const isles = randomFor(stage, 'isles')() < 0.5 ? 0.5 : -1;
  return {
    eye: 0.4,
    near: 1,
    far: 22,
    mist: 0.4,
    flooded: true,
    albedo: alpineSoil(stage, 3),
    height: (x, z, grain) => {
      if (isles < 0 || z < 10) return -0.2;
      const rough = fractal(noise, x * 0.2 + 5, z * 0.2, octavesFor(0.2, grain, stage));
      return -0.3 + Math.max(0, rough - 0.12) * isles * 9 * smoothstep(10, 14, z);
    },
  };
}

/** Where sand meets water, as a distance from the eye. */
export function shoreLine(stage: Stage): (x: number) => number {
  const noise = noiseFor(stage, 'shoreline');
  const slant = between(randomFor(stage, 'shoreline'), -0.35, 0.35);
  return (x) => 1.75 + slant * x + noise(x * 0.7, 3) * 0.22 + noise(x * 3, 9) * 0.03;
}

/** The viewer's height on a beach. */
export const BEACH_EYE = 0.42;

export function beach(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  const shore = shoreLine(stage);
  return {
    eye: BEACH_EYE,
    near: 0.85,
    far: 22,
    mist: 0.4,
    flooded: true,
    albedo: shoreSoil(stage, 0.6),
    height: (x, z, grain) => {
      const dry = shore(x) - z;
      const hollows = fractal(noise, x * 2.2, z * 3, octavesFor(3, grain, stage)) * 0.05 * smoothstep(0.1, 0.6, dry);
      // Low enough that the viewer, who stands slightly above it, never looks along it.
      return clamp(dry * 0.08, -0.2, 0.06) + hollows * 0.5;
    },
  };
}
