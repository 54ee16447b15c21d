import { smoothstep } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { between } from '../../raster/random';
import { type Terrain } from '../ground/terrain';
import { noiseFor, randomFor, type Stage } from '../stage';
import { erosionFor, octavesFor } from './relief';
import { alpineSoil } from './soil';

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
    mist: 0.8,
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
