import { type Colour, fromHex, scaleColour } from '../../raster/colour';
import { clamp, mix, smoothstep } from '../../raster/curve';
import { createGradient, type Gradient, gradientColour, gradientOffset } from '../../raster/gradient';
import { fractal, type Noise } from '../../raster/noise';
import { between, pick, type Random } from '../../raster/random';
import { addAt, blendAt } from '../../raster/raster';
import { addHalo, visitAround } from '../../raster/around';
import { createCoarseField, fieldAt } from '../../raster/coarse-field';
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

/** What a thin blue atmosphere adds at the edge of a globe. */
const AIRGLOW: Colour = [0.3, 0.5, 0.95];

export function paintSpace(stage: Stage): void {
  const random = randomFor(stage, 'space');
  paintNebula(stage, random);
  if (stage.scene.stars) paintStarField(stage, random);
  paintPlanet(stage, random);
}

/** A band of glowing gas with dust in front of it. */
function paintNebula(stage: Stage, random: Random): void {
  const { raster, unit, scene } = stage;
  const { width, height, data } = raster;
  const noise = noiseFor(stage, 'nebula');
  const colours = createGradient(pick(random, NEBULAE));
  const turn = random() * Math.PI;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const octaves = 5 + Math.max(0, scene.detail);
  const gas = createCoarseField(width, height, 2, (x, y) => {
    const u = (x - width / 2) / unit;
    const v = (y - height / 2) / unit;
    const along = u * cos + v * sin;
    const across = -u * sin + v * cos;
    const bendX = fractal(noise, along * 1.6, across * 1.6, 3);
    const bendY = fractal(noise, along * 1.6 + 31, across * 1.6 + 7, 3);
    const cloud = fractal(noise, along * 2 + bendX * 1.3, across * 2.6 + bendY * 1.3, octaves);
    const dust = smoothstep(0, 0.5, fractal(noise, along * 3 + bendY + 60, across * 3.5 + bendX, 4));
    const band = Math.exp(-((across + bendX * 0.35) ** 2) * 5.5);
    return clamp((0.36 + cloud * 0.8) * band * (1 - 0.55 * dust) + 0.05, 0, 1);
  });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = gradientOffset(colours, fieldAt(gas, x, y) * 1.15);
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

/** The diffraction spikes of a telescope around bright stars. */
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
  const x = raster.width * (light.side < 0 ? between(random, 0.55, 0.75) : between(random, 0.25, 0.45));
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
  addHalo(raster, x, y, radius * 1.28, AIRGLOW, 0.9);
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
  const { data } = raster;
  const { radius, surface } = globe;
  const sun = normalised([0.75 * light.side, -0.42, 0.5]);
  const [cos, sin] = [Math.cos(globe.tilt), Math.sin(globe.tilt)];
  visitAround(raster, globe.x, globe.y, radius + 1, (offset, dx, dy) => {
    const u = dx / radius;
    const v = dy / radius;
    const flat = u * u + v * v;
    const alpha = clamp((1 - Math.sqrt(flat)) * radius + 0.5, 0, 1);
    if (alpha <= 0) return;
    const depth = Math.sqrt(Math.max(0, 1 - flat));
    const tone = toneOfGlobe(globe, noise, u * cos - v * sin, u * sin + v * cos, depth);
    const lit = smoothstep(-0.12, 0.95, u * sun[0] + v * sun[1] + depth * sun[2]);
    const rim = (1 - depth) ** 3 * lit * 0.9;
    const from = gradientOffset(surface, tone);
    for (let c = 0; c < 3; c++) {
      const colour = surface.table[from + c]! * (0.012 + 1.15 * lit) + AIRGLOW[c]! * rim;
      data[offset + c] = mix(data[offset + c]!, colour, alpha);
    }
  });
}

/** Bands of clouds with storms, or continents. */
function toneOfGlobe({ banded }: Globe, noise: Noise, longitude: number, latitude: number, depth: number): number {
  if (!banded) return smoothstep(-0.35, 0.45, fractal(noise, longitude * 2.2 + depth * 1.4, latitude * 2.2 + 9, 5));
  return 0.5 + 0.5 * Math.sin(latitude * 11 + fractal(noise, longitude * 1.3 + depth, latitude * 7, 5) * 2.6);
}

/** One half of the ring: the one behind the globe, or the one in front of it. */
function paintRing({ raster, light }: Stage, globe: Globe, front: boolean): void {
  const { radius } = globe;
  const [cos, sin] = [Math.cos(globe.tilt), Math.sin(globe.tilt)];
  const colour = gradientColour(globe.surface, 0.66);
  visitAround(raster, globe.x, globe.y, radius * 2.3, (offset, dx, dy) => {
    const u = (dx * cos - dy * sin) / radius;
    const v = (dx * sin + dy * cos) / radius;
    if (v > 0 !== front) return;
    const distance = Math.hypot(u, v / 0.26);
    const grooves = 0.55 + 0.3 * Math.sin(distance * 46) + 0.15 * Math.sin(distance * 131);
    const gap = smoothstep(1.68, 1.7, distance) * smoothstep(1.78, 1.76, distance);
    const alpha = smoothstep(1.28, 1.36, distance) * smoothstep(2.2, 2.05, distance) * grooves * (1 - gap);
    if (alpha <= 0) return;
    // The globe's shadow falls on the far half, on the side away from the source.
    const shadow = !front && u * light.side < 0 && Math.abs(v) < 0.9 ? 0.25 : 1;
    blendAt(raster.data, offset, scaleColour(colour, 0.85 * shadow), alpha * 0.8);
  });
}

function normalised([x, y, z]: readonly [number, number, number]): readonly [number, number, number] {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
