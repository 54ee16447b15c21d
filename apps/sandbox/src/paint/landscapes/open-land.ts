import { type Colour, fromHex } from '../../raster/colour';
import { smoothstep } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { between } from '../../raster/random';
import { type Terrain } from '../ground/terrain';
import { noiseFor, randomFor, type Stage } from '../stage';
import { octavesFor } from './relief';
import { duneSoil, meadowSoil, strataSoil } from './soil';

export function desert(stage: Stage): Terrain {
  const noise = noiseFor(stage, 'terrain');
  const turn = between(randomFor(stage, 'dunes'), 0.5, 1.4) * -stage.light.side;
  return {
    eye: 0.6,
    near: 0.85,
    far: 26,
    mist: 0.5,
    flooded: false,
    albedo: duneSoil(stage),
    height: (x, z, grain) => {
      // Crests are the lines where distorted noise crosses zero: they meander, but never close to a ring.
      const bend = noise(x * 0.3 + 20, z * 0.2) * 1.5 + noise(x * 0.75, z * 0.5) * 0.4;
      const phase = z * 0.62 + x * 0.3 * turn + bend;
      // Far crests are rounded: a sharp one would fall between two slices and appear jagged.
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
    mist: 3.4,
    flooded: false,
    albedo: (_point, into) => into.set(white),
    height: (x, z, grain) => {
      const bend = noise(x * 0.4, z * 0.4 + 9) * 0.6;
      let puff = 0;
      let amplitude = 0.4;
      let frequency = 0.42;
      for (let octave = 0; octave < Math.min(4, octavesFor(0.42, grain, stage)); octave++) {
        puff += Math.abs(noise(x * frequency + bend, z * frequency + octave * 7)) * amplitude;
        amplitude *= 0.36;
        frequency *= 2.2;
      }
      return puff * (1 + smoothstep(5, 20, z) * 0.9) - 0.15;
    },
  };
}
