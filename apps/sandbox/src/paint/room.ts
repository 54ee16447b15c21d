import { type Colour, fromHexes, mixColours, scaleColour } from '../raster/colour';
import { clamp, smoothstep } from '../raster/curve';
import { circle, fillOutline, rectangle } from '../raster/fill-outline';
import { fractal } from '../raster/noise';
import { between, pick } from '../raster/random';
import { type Stage } from './stage';

const WALLS = fromHexes('#8d9385', '#a08a78', '#6f7f8c', '#b09a84');
const WOODS = fromHexes('#6b4226', '#4e3524', '#7d5a3a');
const GLAZES = fromHexes('#3f6f72', '#7c8fa8', '#b5623f', '#d9c8a0', '#5a4a6a');
const FRUITS = fromHexes('#c0392b', '#d98e2b', '#9aa83a', '#e0b93c', '#7d2b3f');
/** Half widths from the foot to the rim, of a body that is 1 high. */
const WARE: readonly [readonly number[], ...(readonly number[])[]] = [
  [0.16, 0.24, 0.3, 0.32, 0.28, 0.18, 0.12, 0.13, 0.17],
  [0.15, 0.16, 0.16, 0.16, 0.15, 0.08, 0.06, 0.06, 0.07],
  [0.2, 0.3, 0.34, 0.33, 0.3, 0.3, 0.24, 0.2, 0.22],
];

const ROUND = Array.from({ length: 15 }, (_, i) => Math.sqrt(0.25 - (i / 14 - 0.5) ** 2));

/** A room around the view that is painted already: a window, and a still life on a table before it. */
export function paintRoom(stage: Stage): void {
  const { raster, unit } = stage;
  const { width, height } = raster;
  const random = stage.random('room');
  const table = height * 0.74;
  const span = Math.min(width * 0.62, unit * 0.6);
  const left = (width - span) * between(random, 0.35, 0.65);
  const window = { left, right: left + span, top: height * 0.1, bottom: height * 0.6 };
  paintWall(stage, pick(random, WALLS), window);
  paintFrame(stage, window);
  paintTable(stage, pick(random, WOODS), table);
  const standing = [between(random, -0.16, -0.02), between(random, 0.1, 0.22)].slice(0, 1 + Math.floor(random() * 2));
  for (const place of standing) {
    const [glaze, ware] = [pick(random, GLAZES), pick(random, WARE)];
    paintBody(stage, glaze, ware, width / 2 + unit * place, table + unit * 0.06, unit * between(random, 0.24, 0.34));
  }
  const fruit = pick(random, FRUITS);
  for (let i = 0; i < 5; i++) {
    const skin = scaleColour(fruit, between(random, 0.85, 1.2));
    const x = width / 2 + unit * between(random, -0.28, 0.3);
    paintBody(stage, skin, ROUND, x, table + unit * (0.09 + 0.014 * i), unit * between(random, 0.068, 0.084));
  }
}

interface Opening {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The light of the room: by day that of the window, by night a lamp's. */
function lightIn({ light }: Stage): Colour {
  return light.dark ? [0.62, 0.45, 0.28] : mixColours(light.haze, [0.8, 0.78, 0.72], 0.6);
}

function paintWall(stage: Stage, paint: Colour, { left, right, top, bottom }: Opening): void {
  const { width, height, data } = stage.raster;
  const glow = lightIn(stage);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const aside = Math.max(left - x, x - right, top - y, y - bottom);
      if (aside <= 0) continue;
      const bright = 0.45 + 0.5 * Math.exp((-aside / stage.unit) * 2.5);
      for (let c = 0; c < 3; c++) data[(y * width + x) * 3 + c] = paint[c]! * glow[c]! * bright;
    }
  }
}

function paintFrame(stage: Stage, { left, right, top, bottom }: Opening): void {
  const { raster, unit } = stage;
  const bar = unit * 0.016;
  const white = scaleColour(lightIn(stage), 0.75);
  const [width, height] = [right - left, bottom - top];
  for (const x of [left - bar, left + width / 2 - bar / 2, right])
    fillOutline(raster, rectangle(x, top, bar, height), white);
  for (const y of [top - bar, top + height * 0.38])
    fillOutline(raster, rectangle(left - bar, y, width + 2 * bar, bar), white);
  const sill = rectangle(left - 3 * bar, bottom, width + 6 * bar, bar * 1.8);
  fillOutline(raster, sill, scaleColour(white, 1.15));
}

function paintTable(stage: Stage, wood: Colour, top: number): void {
  const { raster, unit } = stage;
  const noise = stage.noise('wood');
  const glow = lightIn(stage);
  const grain = (x: number, y: number): Colour => {
    const tone =
      0.75 + fractal(noise, (x / unit) * 2, (y / unit) * 40, 3) * 0.35 + smoothstep(unit * 0.3, 0, y - top) * 0.3;
    return [wood[0] * glow[0] * tone, wood[1] * glow[1] * tone, wood[2] * glow[2] * tone];
  };
  fillOutline(raster, rectangle(0, top, raster.width, raster.height - top), grain);
}

/** A turned body with its shadow, lit from the window's side. */
function paintBody(
  stage: Stage,
  glaze: Colour,
  profile: readonly number[],
  x: number,
  baseY: number,
  tall: number,
): void {
  const edge = profile.map((half, i) => [half * tall, baseY - (i / (profile.length - 1)) * tall] as const);
  const left = edge.map(([half, y]) => [x - half, y] as const).reverse();
  const widest = Math.max(...profile) * tall;
  paintShadow(stage, x, baseY, widest);
  const foot = circle(x, baseY, profile[0]! * tall, profile[0]! * tall * 0.25);
  for (const outline of [foot, [...edge.map(([half, y]) => [x + half, y] as const), ...left]])
    fillOutline(stage.raster, outline, roundShade(stage, glaze, x, baseY - tall * 0.6, widest));
}

function paintShadow({ raster, light }: Stage, x: number, y: number, half: number): void {
  const [cx, reach] = [x - light.side * half * 0.6, half * 1.5];
  const soft = (px: number, py: number): number => 0.6 * clamp(1 - Math.hypot(px - cx, (py - y) * 4) / reach, 0, 1);
  fillOutline(raster, circle(cx, y, reach, reach / 4), [0.01, 0.008, 0.006], soft);
}

/** Brightest towards the light, in its own shade behind, with a highlight. */
function roundShade(
  stage: Stage,
  albedo: Colour,
  cx: number,
  cy: number,
  half: number,
): (x: number, y: number) => Colour {
  const glow = lightIn(stage);
  return (x, y) => {
    const across = ((x - cx) / half) * stage.light.side;
    const bright = clamp(0.6 + across * 0.75 - Math.max(0, across - 0.6) * 1.2, 0.08, 1.2);
    const gloss = smoothstep(0.3, 0, Math.hypot(across - 0.4, ((y - cy) / half) * 0.8)) * 0.5;
    return [0, 1, 2].map((c) => glow[c]! * (albedo[c]! * bright + gloss)) as unknown as Colour;
  };
}
