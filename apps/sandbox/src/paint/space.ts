import { addHalo, visitAround } from '../raster/around';
import { createCoarseField, fieldAt } from '../raster/coarse-field';
import { type Colour, fromHex, scaleColour } from '../raster/colour';
import { clamp, mix, smoothstep } from '../raster/curve';
import { createGradient, gradientColour, gradientOffset } from '../raster/gradient';
import { fractal } from '../raster/noise';
import { between, pick } from '../raster/random';
import { blendAt } from '../raster/raster';
import { paintStars } from './sky';
import { type Stage } from './stage';

const NEBULAE: readonly [readonly string[], ...(readonly string[])[]] = [
  ['#02030a', '#0c1033', '#3a1c6e', '#b03a8c', '#ff8f6b', '#ffe2b0'],
  ['#02040a', '#06203a', '#0d5c75', '#2fb5a8', '#a8f0c8', '#fff6d8'],
  ['#02030a', '#0d1a4a', '#2850b0', '#6b8cff', '#d0c0ff', '#ffffff'],
];
const WORLDS: readonly [readonly string[], ...(readonly string[])[]] = [
  ['#6b3f2a', '#c98a5a', '#efd2a4', '#a8623c'],
  ['#12386b', '#2f6ea8', '#7fc0d8', '#e8f2f0'],
  ['#3f2a5c', '#8a5ab0', '#d8a8d0', '#5a3a80'],
];
/** What a thin blue atmosphere adds at the edge of a globe. */
const AIRGLOW: Colour = [0.3, 0.5, 0.95];

export function paintSpace(stage: Stage): void {
  const { raster, unit, scene } = stage;
  paintNebula(stage);
  if (scene.shows.stars) paintStars(stage, (2600 * raster.width * raster.height) / unit ** 2);
  paintPlanet(stage);
}

/** A band of glowing gas with dust in front of it. */
function paintNebula(stage: Stage): void {
  const { raster, unit, scene } = stage;
  const { width, height, data } = raster;
  const random = stage.random('nebula');
  const noise = stage.noise('nebula');
  const colours = createGradient(pick(random, NEBULAE).map(fromHex));
  const turn = random() * Math.PI;
  const gas = createCoarseField(width, height, 2, (x, y) => {
    const [u, v] = [x / unit - 0.5, y / unit - 0.5];
    const along = u * Math.cos(turn) + v * Math.sin(turn);
    const across = -u * Math.sin(turn) + v * Math.cos(turn);
    const bend = fractal(noise, along * 1.6, across * 1.6, 3);
    const cloud = fractal(noise, along * 2 + bend * 1.3, across * 2.6 - bend * 1.3, 5 + scene.detail);
    const dust = smoothstep(0, 0.5, fractal(noise, along * 3 + 60, across * 3.5 + bend, 4));
    return clamp(
      (0.36 + cloud * 0.8) * Math.exp(-((across + bend * 0.35) ** 2) * 5.5) * (1 - 0.55 * dust) + 0.05,
      0,
      1,
    );
  });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = gradientOffset(colours, fieldAt(gas, x, y) * 1.15);
      data.set(colours.table.subarray(from, from + 3), (y * width + x) * 3);
    }
  }
}

/** A globe of cloud bands, and its ring: one half behind the globe, the other in front of it. */
function paintPlanet(stage: Stage): void {
  const { raster, unit, light } = stage;
  const { data } = raster;
  const random = stage.random('planet');
  const noise = stage.noise('planet');
  const radius = unit * between(random, 0.16, 0.28);
  const x = raster.width * (0.5 - light.side * between(random, 0.05, 0.22));
  const y = raster.height * between(random, 0.42, 0.62);
  const tilt = between(random, -0.5, 0.5);
  const surface = createGradient(pick(random, WORLDS).map(fromHex));
  const turned = (dx: number, dy: number): [number, number] => [
    (dx * Math.cos(tilt) - dy * Math.sin(tilt)) / radius,
    (dx * Math.sin(tilt) + dy * Math.cos(tilt)) / radius,
  ];
  const paintRing = (front: boolean): void =>
    visitAround(raster, x, y, radius * 2.3, (offset, dx, dy) => {
      const [u, v] = turned(dx, dy);
      if (v > 0 !== front) return;
      const distance = Math.hypot(u, v / 0.26);
      const grooves = 0.55 + 0.3 * Math.sin(distance * 46) + 0.15 * Math.sin(distance * 131);
      const alpha = smoothstep(1.28, 1.36, distance) * smoothstep(2.2, 2.05, distance) * grooves * 0.8;
      if (alpha > 0) blendAt(data, offset, scaleColour(gradientColour(surface, 0.66), 0.85), alpha);
    });
  addHalo(raster, x, y, radius * 1.28, AIRGLOW, 0.9);
  paintRing(false);
  visitAround(raster, x, y, radius + 1, (offset, dx, dy) => {
    const flat = Math.hypot(dx, dy) / radius;
    const alpha = clamp((1 - flat) * radius + 0.5, 0, 1);
    if (alpha <= 0) return;
    const [u, v] = turned(dx, dy);
    const depth = Math.sqrt(Math.max(0, 1 - flat * flat));
    const tone = 0.5 + 0.5 * Math.sin(v * 11 + fractal(noise, u * 1.3 + depth, v * 7, 5) * 2.6);
    const lit = smoothstep(-0.12, 0.95, ((dx * light.side * 0.75 - dy * 0.42) / radius + depth * 0.5) / 1.05);
    const rim = (1 - depth) ** 3 * lit * 0.9;
    const from = gradientOffset(surface, tone);
    for (let c = 0; c < 3; c++) {
      const colour = surface.table[from + c]! * (0.012 + 1.15 * lit) + AIRGLOW[c]! * rim;
      data[offset + c] = mix(data[offset + c]!, colour, alpha);
    }
  });
  paintRing(true);
}
