import { type Colour, fromHex, scaleColour } from '../../raster/colour';
import { clamp, mix, smoothstep } from '../../raster/curve';
import { createGradient, type Gradient, gradientOffset } from '../../raster/gradient';
import { fractal, type Noise } from '../../raster/noise';
import { between, pick, type Random } from '../../raster/random';
import { addAt } from '../../raster/raster';
import { addHalo } from '../pen';
import { noiseFor, randomFor, type Stage } from '../stage';

const NEBULAE: readonly [readonly Colour[], ...(readonly Colour[])[]] = [
  ['#02030a', '#0c1033', '#3a1c6e', '#b03a8c', '#ff8f6b', '#ffe2b0'].map(fromHex),
  ['#02040a', '#06203a', '#0d5c75', '#2fb5a8', '#a8f0c8', '#fff6d8'].map(fromHex),
  ['#030207', '#1f0d2e', '#5e1646', '#c9344d', '#ff9a4d', '#fff0b8'].map(fromHex),
  ['#02030a', '#0d1a4a', '#2850b0', '#6b8cff', '#d0c0ff', '#ffffff'].map(fromHex),
];
const WORLDS: readonly [readonly Colour[], ...(readonly Colour[])[]] = [
  ['#6b3f2a', '#c98a5a', '#efd2a4', '#a8623c'].map(fromHex),
  ['#12386b', '#2f6ea8', '#7fc0d8', '#e8f2f0'].map(fromHex),
  ['#3f2a5c', '#8a5ab0', '#d8a8d0', '#5a3a80'].map(fromHex),
  ['#2a4a3f', '#5a9a78', '#c8e0a8', '#3a6a58'].map(fromHex),
];

export function paintSpace(stage: Stage): void {
  const random = randomFor(stage, 'space');
  paintNebula(stage, random);
  if (stage.scene.stars) paintStarField(stage, random);
  paintPlanet(stage, random);
}

function paintNebula(stage: Stage, random: Random): void {
  const { raster, unit, scene } = stage;
  const { width, height, data } = raster;
  const noise = noiseFor(stage, 'nebula');
  const colours = createGradient(pick(random, NEBULAE));
  const turn = random() * Math.PI;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const coarse = 2;
  const columns = Math.ceil(width / coarse) + 1;
  const rows = Math.ceil(height / coarse) + 1;
  const field = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const px = (column * coarse - width / 2) / unit;
      const py = (row * coarse - height / 2) / unit;
      const along = px * cos + py * sin;
      const across = -px * sin + py * cos;
      const bendX = fractal(noise, along * 1.6, across * 1.6, 3);
      const bendY = fractal(noise, along * 1.6 + 31, across * 1.6 + 7, 3);
      const cloud = fractal(noise, along * 2 + bendX * 1.3, across * 2.6 + bendY * 1.3, 5 + Math.max(0, scene.detail));
      const dust = smoothstep(0.0, 0.5, fractal(noise, along * 3 + bendY + 60, across * 3.5 + bendX, 4));
      const band = Math.exp(-((across + bendX * 0.35) ** 2) * 5.5);
      field[row * columns + column] = clamp((0.36 + cloud * 0.8) * band * (1 - 0.55 * dust) + 0.05, 0, 1);
    }
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = (y >> 1) * columns + (x >> 1);
      const value = mix(
        mix(field[i]!, field[i + 1]!, (x & 1) / 2),
        mix(field[i + columns]!, field[i + columns + 1]!, (x & 1) / 2),
        (y & 1) / 2,
      );
      const from = gradientOffset(colours, value * 1.15);
      data.set(colours.table.subarray(from, from + 3), (y * width + x) * 3);
    }
  }
}

function paintStarField(stage: Stage, random: Random): void {
  const { raster, unit } = stage;
  const count = Math.round((2600 * raster.width * raster.height) / (unit * unit));
  for (let i = 0; i < count; i++) {
    const magnitude = random() ** 16;
    const tint = fromHex(pick(random, ['#ffffff', '#c8d8ff', '#ffe8c8', '#ffd0b0']));
    const x = random() * raster.width;
    const y = random() * raster.height;
    addHalo(raster, x, y, 0.9 + unit * 0.006 * magnitude, tint, between(random, 0.15, 0.9) + 6 * magnitude);
    if (magnitude > 0.72) paintSpikes(stage, x, y, unit * 0.03 * magnitude, tint);
  }
}

/** The cross that a telescope draws around bright stars. */
function paintSpikes({ raster }: Stage, cx: number, cy: number, reach: number, tint: Colour): void {
  for (let d = -Math.ceil(reach); d <= reach; d++) {
    const amount = (1 - Math.abs(d) / reach) ** 3 * 1.4;
    for (const [x, y] of [
      [Math.round(cx) + d, Math.round(cy)],
      [Math.round(cx), Math.round(cy) + d],
    ] as const) {
      if (amount > 0 && x >= 0 && y >= 0 && x < raster.width && y < raster.height)
        addAt(raster.data, (y * raster.width + x) * 3, tint, amount);
    }
  }
}

function paintPlanet(stage: Stage, random: Random): void {
  const { raster, unit, light } = stage;
  const radius = unit * between(random, 0.16, 0.3);
  const x = raster.width * (light.sourceX < 0.5 ? between(random, 0.55, 0.75) : between(random, 0.25, 0.45));
  const y = raster.height * between(random, 0.42, 0.66);
  const surface = createGradient(pick(random, WORLDS));
  const globe = {
    x,
    y,
    radius,
    surface,
    banded: random() < 0.55,
    tilt: between(random, -0.5, 0.5),
    ringed: stage.scene.rings,
  };
  const atmosphere = scaleColour(fromHex('#8fb8ff'), 0.8);
  addHalo(raster, x, y, radius * 1.28, atmosphere, 0.9);
  if (globe.ringed) paintRing(stage, globe, false);
  paintGlobe(stage, globe, noiseFor(stage, 'planet'));
  if (globe.ringed) paintRing(stage, globe, true);
}

interface Globe {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly surface: Gradient;
  readonly banded: boolean;
  readonly tilt: number;
  readonly ringed: boolean;
}

function paintGlobe({ raster, light }: Stage, globe: Globe, noise: Noise): void {
  const { width, height, data } = raster;
  const sun = normalised([light.sourceX < 0.5 ? -0.75 : 0.75, -0.42, 0.5]);
  const [cos, sin] = [Math.cos(globe.tilt), Math.sin(globe.tilt)];
  for (
    let y = Math.max(0, Math.floor(globe.y - globe.radius - 1));
    y < Math.min(height, globe.y + globe.radius + 1);
    y++
  ) {
    for (
      let x = Math.max(0, Math.floor(globe.x - globe.radius - 1));
      x < Math.min(width, globe.x + globe.radius + 1);
      x++
    ) {
      const u = (x + 0.5 - globe.x) / globe.radius;
      const v = (y + 0.5 - globe.y) / globe.radius;
      const flat = u * u + v * v;
      const alpha = clamp((1 - Math.sqrt(flat)) * globe.radius + 0.5, 0, 1);
      if (alpha <= 0) continue;
      const depth = Math.sqrt(Math.max(0, 1 - flat));
      const latitude = u * sin + v * cos;
      const longitude = u * cos - v * sin;
      const swirl = fractal(noise, longitude * 2.2 + depth * 1.4, latitude * 2.2 + 9, 5);
      const tone = globe.banded
        ? 0.5 + 0.5 * Math.sin(latitude * 11 + fractal(noise, longitude * 1.3 + depth, latitude * 7, 5) * 2.6)
        : smoothstep(-0.35, 0.45, swirl);
      const lit = smoothstep(-0.12, 0.95, u * sun[0] + v * sun[1] + depth * sun[2]);
      const rim = (1 - depth) ** 3 * lit;
      const from = gradientOffset(globe.surface, tone);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) {
        const colour = globe.surface.table[from + c]! * (0.012 + 1.15 * lit) + [0.35, 0.55, 1][c]! * rim * 0.9;
        data[offset + c] = mix(data[offset + c]!, colour, alpha);
      }
    }
  }
}

function paintRing({ raster, light }: Stage, globe: Globe, front: boolean): void {
  const { width, height, data } = raster;
  const [cos, sin] = [Math.cos(globe.tilt), Math.sin(globe.tilt)];
  const colour = gradientOffset(globe.surface, 0.66);
  const reach = globe.radius * 2.3;
  for (let y = Math.max(0, Math.floor(globe.y - reach)); y < Math.min(height, globe.y + reach); y++) {
    for (let x = Math.max(0, Math.floor(globe.x - reach)); x < Math.min(width, globe.x + reach); x++) {
      const u = ((x - globe.x) * cos + (y - globe.y) * -sin) / globe.radius;
      const v = ((x - globe.x) * sin + (y - globe.y) * cos) / globe.radius;
      if (v > 0 !== front) continue;
      const distance = Math.hypot(u, v / 0.26);
      const grooves = 0.55 + 0.3 * Math.sin(distance * 46) + 0.15 * Math.sin(distance * 131);
      const alpha =
        smoothstep(1.28, 1.36, distance) *
        smoothstep(2.2, 2.05, distance) *
        grooves *
        (1 - smoothstep(1.68, 1.7, distance) * smoothstep(1.78, 1.76, distance));
      if (alpha <= 0) continue;
      // The globe's shadow falls on the ring on the far side from the source.
      const shadow = u * (light.sourceX < 0.5 ? 1 : -1) > 0 && Math.abs(v) < 0.9 && !front ? 0.25 : 1;
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++)
        data[offset + c] = mix(data[offset + c]!, globe.surface.table[colour + c]! * 0.85 * shadow, alpha * 0.8);
    }
  }
}

function normalised([x, y, z]: readonly [number, number, number]): readonly [number, number, number] {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
