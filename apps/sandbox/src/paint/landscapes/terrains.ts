import { type Colour, fromHex } from '../../raster/colour';
import { clamp, mix, smoothstep } from '../../raster/curve';
import { createErosion } from '../../raster/erosion';
import { fractal } from '../../raster/noise';
import { between } from '../../raster/random';
import { hashText } from '../../raster/random';
import { type Terrain } from '../ground/terrain';
import { noiseFor, randomFor, type Stage } from '../stage';
import { alpineSoil, duneSoil, meadowSoil, shoreSoil, strataSoil } from './soil';

/** As many octaves as can be seen: finer ones than the grain would only flicker. */
function octavesFor(frequency: number, grain: number, stage: Stage): number {
  return clamp(Math.floor(Math.log2(1 / (frequency * 2 * grain))), 1, 8 + stage.scene.detail);
}

function erosionFor(stage: Stage): ReturnType<typeof createErosion> {
  return createErosion(stage.scene.seed ^ hashText('erosion'));
}

export function mountains(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  const eroded = erosionFor(stage);
  return {
    eye: 0.62,
    near: 0.9,
    far: 28,
    mist: 0.9,
    flooded: false,
    albedo: alpineSoil(stage, 2.1),
    height: (x, z, grain) => {
      const rise = smoothstep(3.5, 13, z);
      const massif = rise > 0 ? eroded(x * 0.18 + 33, z * 0.18 + 7, octavesFor(0.18, grain, stage)) : 0;
      const rolling = fractal(noise, x * 0.5 + 9, z * 0.5, octavesFor(0.5, grain, stage));
      return 0.1 + rolling * (0.26 + rise * 0.3) - smoothstep(1.2, 3, z) * 0.25 + rise * Math.max(0, massif - 0.08) * 8;
    },
  };
}

export function lake(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  const eroded = erosionFor(stage);
  return {
    eye: 0.42,
    near: 0.9,
    far: 28,
    mist: 1.2,
    flooded: true,
    albedo: alpineSoil(stage, 2.1),
    height: (x, z, grain) => {
      const rise = smoothstep(4.5, 14, z);
      const massif = rise > 0 ? eroded(x * 0.17 + 3, z * 0.17 + 47, octavesFor(0.17, grain, stage)) : 0;
      const shore = fractal(noise, x * 0.4 + 9, z * 0.4, octavesFor(0.4, grain, stage));
      return (
        -0.34 + shore * 0.42 + smoothstep(2.6, 6, z) * 0.26 * (1 + shore) + rise * Math.max(0, massif - 0.08) * 7.5
      );
    },
  };
}

export function river(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  const eroded = erosionFor(stage);
  const random = randomFor(stage, 'river');
  const phase = random() * 6;
  const swing = between(random, 0.5, 0.8);
  return {
    eye: 0.75,
    near: 0.9,
    far: 28,
    mist: 1.2,
    flooded: true,
    albedo: alpineSoil(stage, 2.2),
    height: (x, z, grain) => {
      const centre =
        swing * Math.sin(z * 0.75 + phase) * (0.4 + z * 0.11) + 0.3 * Math.sin(z * 0.31 + phase * 2) * z * 0.3;
      const bank = fractal(noise, x * 0.7 + 9, z * 0.7, octavesFor(0.7, grain, stage));
      const away = Math.abs(x - centre) + bank * 0.14;
      const wide = 0.16 + z * 0.012;
      const slope = smoothstep(1.2, 7, away) * smoothstep(2, 9, z);
      const massif = slope > 0 ? eroded(x * 0.2 + 13, z * 0.2 + 27, octavesFor(0.2, grain, stage)) : 0;
      return (
        -0.05 +
        smoothstep(wide, wide + 0.16, away) * 0.1 +
        smoothstep(wide, wide + 1.6, away) * 0.22 * (1 + bank) +
        slope * massif * 7.5
      );
    },
  };
}

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
  const side = stage.light.sourceX < 0.5 ? 1 : -1;
  return {
    eye: 0.5,
    near: 0.9,
    far: 16,
    mist: 0.5,
    flooded: true,
    albedo: shoreSoil(stage, 0.012),
    height: (x, z, grain) => {
      const rough = fractal(noise, x * 0.8 + 5, z * 0.8, octavesFor(0.8, grain, stage));
      // Positive on land: a headland that runs out into the sea and ends between the middle distance and the horizon.
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

/** The height of the eye on a beach. */
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
      return clamp(dry * 0.11, -0.2, 0.2) + hollows;
    },
  };
}

export function desert(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  const turn = between(randomFor(stage, 'dunes'), 0.5, 1.4) * (stage.light.sourceX < 0.5 ? 1 : -1);
  return {
    eye: 0.6,
    near: 0.85,
    far: 26,
    mist: 0.5,
    flooded: false,
    albedo: duneSoil(stage),
    height: (x, z, grain) => {
      // Crests are the lines where a bent wave crosses zero: they wander, but never close to a ring.
      const bend = noise(x * 0.3 + 20, z * 0.2) * 1.5 + noise(x * 0.75, z * 0.5) * 0.4;
      const phase = z * 0.62 + x * 0.3 * turn + bend;
      // Far crests are rounded: a sharp one would fall between two slices and look like teeth.
      const round = grain * 1.2;
      const crest = Math.max(0, 1 - Math.hypot(Math.sin(phase), round));
      const second = 1 - Math.hypot(noise(x * 0.9 + 9 + bend, z * 0.7), round * 2);
      const ripple = grain < 0.02 ? noise(x * 26 + bend * 30, z * 9) * 0.0035 : 0;
      const rise = 0.75 + smoothstep(3, 18, z) * 2;
      return -0.3 + (crest ** 1.5 * (0.5 + 0.3 * noise(x * 0.2, z * 0.2 + 60)) + second ** 2 * 0.08) * rise + ripple;
    },
  };
}

export function canyon(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  return {
    eye: 0.5,
    near: 0.9,
    far: 24,
    mist: 0.5,
    flooded: false,
    albedo: strataSoil(stage),
    height: (x, z, grain) => {
      const octaves = octavesFor(0.22, grain, stage);
      const plan = fractal(noise, x * 0.22 + 3, z * 0.2, octaves) + 0.1 * smoothstep(5, 16, z);
      const tower =
        smoothstep(0.1, 0.16, plan) * 1.1 + smoothstep(0.24, 0.28, plan) * 0.9 + smoothstep(0.36, 0.4, plan) * 0.6;
      const talus = smoothstep(-0.05, 0.16, plan) * 0.35;
      const floor = fractal(noise, x * 0.9, z * 0.9, octavesFor(0.9, grain, stage)) * 0.1;
      return -0.1 + floor + (tower + talus) * smoothstep(2.6, 5.5, z);
    },
  };
}

const BLOSSOMS = ['#b13a3a', '#d8b63c', '#8c6bc0', '#e0dce4', '#d7789b'].map(fromHex);

/** The colour of the flowers in the grass, if any grow there. */
export function meadowFlower(stage: Stage): Colour | undefined {
  if (!stage.scene.flowers) return undefined;
  return stage.scene.flowerColour ?? BLOSSOMS[Math.floor(randomFor(stage, 'flowers')() * BLOSSOMS.length)];
}

export function meadow(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  return {
    eye: 0.5,
    near: 0.75,
    far: 24,
    mist: 1.1,
    flooded: false,
    albedo: meadowSoil(stage, meadowFlower(stage)),
    height: (x, z, grain) => {
      const swell = fractal(noise, x * 0.28 + 4, z * 0.3, Math.min(3, octavesFor(0.3, grain, stage)));
      const rise = 1 + smoothstep(3, 18, z) * 2.6;
      return -0.1 + swell * 0.75 * rise + smoothstep(2, 20, z) * 0.25;
    },
  };
}

/** The upper side of a sheet of clouds. */
export function cloudSea(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  const white = fromHex('#f4f1f2');
  return {
    eye: 0.85,
    near: 0.9,
    far: 26,
    mist: 2.4,
    flooded: false,
    albedo: (_point, into) => into.set(white),
    height: (x, z, grain) => {
      const bend = noise(x * 0.4, z * 0.4 + 9) * 0.6;
      let puff = 0;
      let amplitude = 0.4;
      let frequency = 0.42;
      for (let octave = 0; octave < Math.min(5, octavesFor(0.42, grain, stage)); octave++) {
        puff += Math.abs(noise(x * frequency + bend, z * frequency + octave * 7)) * amplitude;
        amplitude *= 0.45;
        frequency *= 2.2;
      }
      return puff * (1 + smoothstep(5, 20, z) * 1.6) - 0.15;
    },
  };
}
