import { createCoarseField, fieldAt } from '../raster/coarse-field';
import { type Colour, fromHex, fromLab, toLab } from '../raster/colour';
import { clamp, smoothstep } from '../raster/curve';
import { circle, fillOutline, type Outline, rectangle } from '../raster/fill-outline';
import { createGradient, gradientOffset } from '../raster/gradient';
import { fractal } from '../raster/noise';
import { between, pick, type Random } from '../raster/random';
import { type Mood, type Scene } from '../scene/scene';
import { type Stage } from './stage';

/** From ground to accent. None is warm throughout: the image model takes smooth folds of yellow and orange for skin. */
const PALETTES: readonly [readonly string[], ...(readonly string[])[]] = [
  ['#e8eef2', '#1f2a44', '#3f7d77', '#8fb339', '#5b7db1'],
  ['#0f1b2e', '#58a4b0', '#4d9078', '#a9bcd0', '#b4436c'],
  ['#eef3f0', '#2b4162', '#0b6e4f', '#7fb069', '#6d597a'],
  ['#edf6f4', '#264653', '#2a9d8f', '#83c5be', '#5e60ce'],
  ['#101820', '#2d4a7a', '#7fb2d9', '#c7d8e8', '#3d8b6e'],
];
export const PALETTES_BY_MOOD: Readonly<Partial<Record<Mood, readonly string[]>>> = {
  neon: ['#0a0618', '#2b0a5c', '#ff2e97', '#18e0ff', '#ffe14d'],
  pastel: ['#fdf6f0', '#cdb4db', '#ffc8dd', '#a2d2ff', '#cdeac0'],
  dark: ['#06070a', '#14213d', '#1b4332', '#3c1642', '#4a4e69'],
};

/** The prompt's own colours with a light and a dark companion and lighter variants, or a matching palette. */
function paletteOf({ colours, moods }: Scene, random: Random): readonly Colour[] {
  const usual = pick(random, PALETTES);
  if (colours.length === 0) return (moods.map((mood) => PALETTES_BY_MOOD[mood]).find(Boolean) ?? usual).map(fromHex);
  const labs = colours.map(toLab);
  const [, a, b] = labs[0]!;
  const lighter = labs.map((lab) => fromLab([Math.min(0.92, lab[0] + 0.2), lab[1] * 0.7, lab[2] * 0.7]));
  return [fromLab([0.95, a * 0.12, b * 0.12]), fromLab([0.24, a * 0.5, b * 0.5]), ...colours, ...lighter];
}

/** Folds of colour like silk: noise distorted by distorted noise, lit from the upper left. */
export function paintFlow(stage: Stage): void {
  const { raster, unit, scene } = stage;
  const { width, height, data } = raster;
  const noise = stage.noise('flow');
  const palette = [...paletteOf(scene, stage.random('flow'))].sort((a, b) => toLab(a)[0] - toLab(b)[0]);
  const colours = createGradient([...palette, ...[...palette].reverse()]);
  const octaves = clamp(3 + scene.detail, 2, 4);
  const folds = createCoarseField(width, height, 2, (x, y) => {
    const [u, v] = [(x / unit) * 0.9, (y / unit) * 0.9];
    const bendX = fractal(noise, u, v, octaves);
    const bendY = fractal(noise, u + 5.2, v + 1.3, octaves);
    const bend = fractal(noise, u + 2.4 * bendX + 1.7, v + 2.4 * bendY + 9.2, octaves);
    return fractal(noise, u + 2.2 * bend, v + 2.2 * bendX, octaves) + 0.32 * bend;
  });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = fieldAt(folds, x, y);
      const slope = ((fieldAt(folds, x + 2, y) + fieldAt(folds, x, y + 2) - 2 * here) * unit) / 110;
      const sheen = smoothstep(0.1, 1.2, slope) * 0.11;
      const shade = 0.9 + clamp(slope, -0.6, 0.6) * 0.5;
      const from = gradientOffset(colours, 0.5 + here * 0.85);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = colours.table[from + c]! * shade + sheen;
    }
  }
}

/** What a tile of the poster holds: outlines in a square from 0 to 1, in turn in its front and its back colour. */
const TILES: readonly [readonly Outline[], ...(readonly Outline[])[]] = [
  [circle(0, 0, 1)],
  [circle(0.5, 0.5, 0.36), circle(0.5, 0.5, 0.16)],
  [
    [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
  ],
  [circle(0, 0, 1), circle(0, 0, 0.72), circle(0, 0, 0.44), circle(0, 0, 0.18)],
  [rectangle(0, 0, 1, 0.75), rectangle(0, 0.25, 1, 0.25)],
  [circle(0.5, 0, 0.5), circle(0.5, 0.2, 0.12)],
];

/** A poster of plain shapes, printed on paper: one tile, at random turned, in each cell of a grid. */
export function paintGeometric(stage: Stage): void {
  const { raster, unit, scene } = stage;
  const { width, height, data } = raster;
  const random = stage.random('geometric');
  const palette = paletteOf(scene, random);
  const margin = unit * 0.07;
  const across = Math.max(2, Math.round((width - 2 * margin) / (unit * between(random, 0.15, 0.24))));
  const side = (width - 2 * margin) / across;
  const down = Math.max(1, Math.floor((height - 2 * margin) / side));
  fillOutline(raster, rectangle(0, 0, width, height), palette[0]!);
  for (let cell = 0; cell < across * down; cell++) {
    const x = margin + (cell % across) * side;
    const y = (height - down * side) / 2 + Math.floor(cell / across) * side;
    const back = Math.floor(random() ** 1.6 * palette.length);
    const front = (back + 1 + Math.floor(random() * (palette.length - 1))) % palette.length;
    const [mirrored, upside] = [random() < 0.5, random() < 0.5];
    fillOutline(raster, rectangle(x, y, side, side), palette[back]!);
    pick(random, TILES).forEach((outline, i) => {
      const placed = outline.map(([u, v]): [number, number] => {
        const [inX, inY] = [clamp(u, 0, 1), clamp(v, 0, 1)];
        return [x + (mirrored ? 1 - inX : inX) * side, y + (upside ? 1 - inY : inY) * side];
      });
      fillOutline(raster, placed, palette[i % 2 === 0 ? front : back]!);
    });
  }
  const noise = stage.noise('paper');
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [u, v] = [(pixel % width) / unit, Math.floor(pixel / width) / unit];
    const fibre = 0.97 + fractal(noise, u * 160, v * 70, 1 + clamp(scene.detail + 1, 0, 2)) * 0.05;
    for (let c = 0; c < 3; c++) data[pixel * 3 + c] = data[pixel * 3 + c]! * fibre;
  }
}
