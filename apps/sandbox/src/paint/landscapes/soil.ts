import { type Colour, fromHex } from '../../raster/colour';
import { smoothstep } from '../../raster/curve';
import { type Season } from '../../scene/scene';
import { noiseFor, type Stage } from '../stage';
import { type Terrain } from '../ground/terrain';

type Albedo = Terrain['albedo'];

const SNOW = fromHex('#eef2fa');
const ROCK = fromHex('#77706c');
const DARK_ROCK = fromHex('#4a474c');
const SAND = fromHex('#d9bd8c');
const WET_SAND = fromHex('#9a7f5b');

const GRASS: Readonly<Record<Season, readonly [fresh: Colour, dense: Colour]>> = {
  spring: [fromHex('#7f9a4c'), fromHex('#4d6a33')],
  summer: [fromHex('#6f8446'), fromHex('#3d5430')],
  autumn: [fromHex('#a8853c'), fromHex('#6b4a24')],
  winter: [fromHex('#b9c0c4'), fromHex('#7c8a8c')],
};

export function isSnowy({ scene }: Stage): boolean {
  return scene.season === 'winter' || scene.weather.snow > 0;
}

/** Grass below, rock on steep slopes, snow above `snowLine`; winter lowers the snow to the valley. */
export function alpineSoil(stage: Stage, snowLine: number): Albedo {
  const noise = noiseFor(stage, 'soil');
  const [fresh, dense] = GRASS[stage.scene.season];
  const line = isSnowy(stage) ? -1 : snowLine;
  return (point, into) => {
    const patch = noise(point.x * 3.1, point.z * 3.1 + point.height * 4);
    const speck = noise(point.x * 14, point.z * 14 + point.height * 9);
    const green =
      smoothstep(1.9, 0.7, point.height + patch * 0.4) * smoothstep(0.45, 0.75, point.upright + patch * 0.1);
    const wood = smoothstep(-0.6, 0.7, patch + speck * 0.6);
    const white =
      smoothstep(line, line + 0.7, point.height + patch * 0.4) *
      smoothstep(0.36, 0.62, point.upright + patch * 0.12 + speck * 0.05);
    const tuft = noise(point.x * 34, point.z * 24) * 0.6 + noise(point.x * 90, point.z * 60 + point.height * 90) * 0.5;
    const dark = smoothstep(-0.7, 0.7, patch * 0.6 + speck * 0.8 + tuft * 0.5);
    for (let c = 0; c < 3; c++) {
      const rock = ROCK[c]! + (DARK_ROCK[c]! - ROCK[c]!) * dark;
      const grass = (fresh[c]! + (dense[c]! - fresh[c]!) * wood) * (1 + tuft * 0.3);
      const ground = rock + (grass - rock) * green;
      into[c] = ground + (SNOW[c]! - ground) * white;
    }
  };
}

/** Fields in several greens, with flowers if the prompt asks for them. */
export function meadowSoil(stage: Stage, flower: Colour | undefined): Albedo {
  const noise = noiseFor(stage, 'soil');
  const [fresh, dense] = GRASS[stage.scene.season];
  const white = isSnowy(stage) ? 1 : 0;
  return (point, into) => {
    const field = noise(point.x * 0.9 + 7, point.z * 0.55);
    const tuft =
      noise(point.x * 22, point.z * 9) * 0.4 +
      noise(point.x * 60, point.z * 25) * 0.35 +
      noise(point.x * 170, point.z * 80) * 0.4;
    const shade = smoothstep(-0.7, 0.7, field + tuft * 0.7);
    const bloom = flower ? smoothstep(0.05, 0.5, noise(point.x * 1.7, point.z * 1.1 + 30) + tuft * 0.9) : 0;
    for (let c = 0; c < 3; c++) {
      const grass = (fresh[c]! + (dense[c]! - fresh[c]!) * shade) * (1 + tuft * 0.25);
      const grown = flower ? grass + (flower[c]! - grass) * bloom * 0.8 : grass;
      into[c] = grown + (SNOW[c]! * (1 + tuft * 0.04) - grown) * white;
    }
  };
}

/** Sand at the water's edge, grass above it, rock on cliffs. */
export function shoreSoil(stage: Stage, sandUpTo: number): Albedo {
  const noise = noiseFor(stage, 'soil');
  const [fresh, dense] = GRASS[stage.scene.season];
  const white = isSnowy(stage) ? 1 : 0;
  return (point, into) => {
    const patch = noise(point.x * 5, point.z * 5 + point.height * 6);
    const speck = noise(point.x * 26, point.z * 26 + point.height * 30);
    const wet = smoothstep(0.035, 0, point.height + patch * 0.01);
    const green = smoothstep(sandUpTo, sandUpTo * 1.8 + 0.02, point.height + patch * 0.03);
    const bare = smoothstep(0.62, 0.4, point.upright + patch * 0.08);
    const grit = 1 + speck * 0.09 + noise(point.x * 130, point.z * 110) * 0.08;
    const wood = smoothstep(-0.4, 0.5, patch + speck * 0.5);
    for (let c = 0; c < 3; c++) {
      const sand = (SAND[c]! + (WET_SAND[c]! - SAND[c]!) * wet) * grit;
      const grass = fresh[c]! + (dense[c]! - fresh[c]!) * wood;
      const rock = ROCK[c]! + (DARK_ROCK[c]! - ROCK[c]!) * smoothstep(-0.5, 0.5, speck + patch * 0.5);
      const soft = sand + (grass - sand) * green;
      const ground = soft + (rock - soft) * bare;
      into[c] = ground + (SNOW[c]! - ground) * white * smoothstep(0.4, 0.6, point.upright);
    }
  };
}

export function duneSoil(stage: Stage): Albedo {
  const noise = noiseFor(stage, 'soil');
  const light = fromHex('#e2b27a');
  const deep = fromHex('#c0844f');
  return (point, into) => {
    const patch = noise(point.x * 0.8, point.z * 0.8) * 0.6 + noise(point.x * 30, point.z * 12) * 0.16;
    const amount = smoothstep(-0.6, 0.6, patch);
    const grit = 1 + noise(point.x * 120, point.z * 90) * 0.07;
    for (let c = 0; c < 3; c++) into[c] = (light[c]! + (deep[c]! - light[c]!) * amount) * grit;
  };
}

/** Layers of red stone, by height. */
export function strataSoil(stage: Stage): Albedo {
  const noise = noiseFor(stage, 'soil');
  const layers = ['#b5603a', '#c97a4a', '#8f452c', '#d9945f', '#a6522f', '#c06a3e', '#7c3a28', '#d6a273'].map(fromHex);
  const dust = fromHex('#c58a58');
  return (point, into) => {
    const level =
      point.height * 5.2 + noise(point.x * 0.5, point.z * 0.5) * 0.5 + noise(point.x * 6, point.z * 6) * 0.08;
    const grit =
      1 +
      noise(point.x * 40, point.z * 30 + point.height * 40) * 0.16 +
      noise(point.x * 100, point.z * 70 + point.height * 90) * 0.12;
    const index = Math.floor(level);
    const lower = layers[((index % layers.length) + layers.length) % layers.length] ?? dust;
    const upper = layers[(((index + 1) % layers.length) + layers.length) % layers.length] ?? dust;
    const step = smoothstep(0.35, 0.65, level - index);
    const flat = smoothstep(0.7, 0.92, point.upright);
    for (let c = 0; c < 3; c++) {
      const stone = lower[c]! + (upper[c]! - lower[c]!) * step;
      into[c] = (stone + (dust[c]! - stone) * flat * 0.75) * grit;
    }
  };
}
