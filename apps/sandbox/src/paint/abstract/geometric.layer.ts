import { type Colour, mixColours } from '../../raster/colour';
import { clamp } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { between, type Random } from '../../raster/random';
import { type Raster } from '../../raster/raster';
import { fillOutline } from '../../raster/fill-outline';
import { circle, type Outline } from '../../raster/shape';
import { noiseFor, randomFor, type Stage } from '../stage';
import { paletteOf } from './palettes';

/** A poster of plain shapes, printed on paper. */
export function paintGeometric(stage: Stage): void {
  const random = randomFor(stage, 'geometric');
  const [ground, ...inks] = paletteOf(stage.scene, random);
  if (!ground || inks.length === 0) return;
  fillAll(stage.raster, ground);
  if (random() < 0.5) paintTiles(stage, random, ground, inks);
  else paintArrangement(stage, random, inks);
  paintPaper(stage);
}

function fillAll({ data }: Raster, colour: Colour): void {
  for (let offset = 0; offset < data.length; offset += 3) data.set(colour, offset);
}

interface Tile {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** A grid in which every cell holds one of a few forms, turned at random. */
function paintTiles({ raster, unit }: Stage, random: Random, ground: Colour, inks: readonly Colour[]): void {
  const margin = unit * 0.07;
  const across = Math.max(2, Math.round((raster.width - 2 * margin) / (unit * between(random, 0.15, 0.24))));
  const side = (raster.width - 2 * margin) / across;
  const down = Math.max(1, Math.floor((raster.height - 2 * margin) / side));
  const top = (raster.height - down * side) / 2;
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const tile = { x: margin + column * side, y: top + row * side, side };
      const back = random() < 0.45 ? ground : inkOf(inks, random);
      let front = inkOf(inks, random);
      while (front === back && inks.length > 1) front = inkOf(inks, random);
      fillOutline(raster, rectangle(tile.x, tile.y, side, side), back);
      paintTile(raster, tile, front, back, random);
    }
  }
}

function paintTile(raster: Raster, { x, y, side }: Tile, front: Colour, back: Colour, random: Random): void {
  const right = random() < 0.5;
  const lower = random() < 0.5;
  const cornerX = right ? x + side : x;
  const cornerY = lower ? y + side : y;
  const inside = (outline: Outline): Outline =>
    outline.map(([px, py]) => [clamp(px, x, x + side), clamp(py, y, y + side)] as const);
  switch (Math.floor(random() * 7)) {
    case 0:
      fillOutline(raster, inside(circle(cornerX, cornerY, side)), front);
      break;
    case 1:
      fillOutline(raster, circle(x + side / 2, y + side / 2, side * 0.36), front);
      break;
    case 2:
      fillOutline(
        raster,
        [
          [cornerX, y],
          [cornerX, y + side],
          [right ? x : x + side, lower ? y : y + side],
        ],
        front,
      );
      break;
    case 3:
      for (const [radius, ink] of [
        [1, front],
        [0.72, back],
        [0.44, front],
        [0.18, back],
      ] as const)
        fillOutline(raster, inside(circle(cornerX, cornerY, side * radius)), ink);
      break;
    case 4:
      for (let i = 0; i < 4; i++)
        fillOutline(
          raster,
          right ? rectangle(x + (i * side) / 4, y, side / 8, side) : rectangle(x, y + (i * side) / 4, side, side / 8),
          front,
        );
      break;
    case 5:
      fillOutline(raster, inside(circle(x + side / 2, cornerY, side / 2)), front);
      fillOutline(raster, circle(x + side / 2, lower ? y + side * 0.25 : y + side * 0.75, side * 0.12), front);
      break;
    default:
      for (let i = 0; i < 9; i++)
        fillOutline(
          raster,
          circle(x + side * (0.2 + 0.3 * (i % 3)), y + side * (0.2 + 0.3 * Math.floor(i / 3)), side * 0.07),
          front,
        );
  }
}

/** One large disc, bars that cross it, and a few small shapes for balance. */
function paintArrangement({ raster, unit }: Stage, random: Random, inks: readonly Colour[]): void {
  const { width, height } = raster;
  const cx = width * between(random, 0.38, 0.62);
  const cy = height * between(random, 0.34, 0.52);
  const radius = unit * between(random, 0.26, 0.34);
  const [dark, main, second, third] = [
    inks[0]!,
    inks[1 % inks.length]!,
    inks[2 % inks.length]!,
    inks[3 % inks.length]!,
  ];
  fillOutline(raster, circle(cx, cy, radius), main);
  const half = Array.from({ length: 40 }, (_, i) => {
    const angle = (i / 39) * Math.PI;
    return [cx + Math.cos(angle) * radius * 0.99, cy + Math.sin(angle) * radius * 0.99] as const;
  });
  fillOutline(raster, half, mixColours(main, dark, 0.55));
  const angle = between(random, -0.75, -0.3);
  for (const [shift, thick, ink] of [
    [-0.02, 0.05, dark],
    [0.07, 0.018, third],
    [0.11, 0.008, dark],
  ] as const) {
    fillOutline(raster, slantedBar(cx, cy + shift * unit * 2.4, unit * 1.7, unit * thick, angle), ink);
  }
  const baseY = height * between(random, 0.76, 0.84);
  for (let i = 0; i < 6; i++)
    fillOutline(raster, rectangle(width * 0.1, baseY + i * unit * 0.022, width * (0.8 - 0.11 * i), unit * 0.007), dark);
  const aside = cx < width / 2 ? width * 0.8 : width * 0.2;
  fillOutline(raster, circle(aside, height * 0.2, unit * 0.075), second);
  fillOutline(raster, circle(aside, height * 0.2, unit * 0.03), dark);
  const size = unit * 0.13;
  fillOutline(
    raster,
    [
      [aside - size, height * 0.7],
      [aside, height * 0.7 - size * 1.7],
      [aside + size, height * 0.7],
    ],
    third,
  );
  fillOutline(
    raster,
    [
      [aside, height * 0.7],
      [aside, height * 0.7 - size * 1.7],
      [aside + size, height * 0.7],
    ],
    mixColours(third, dark, 0.4),
  );
}

function slantedBar(cx: number, cy: number, length: number, thickness: number, angle: number): Outline {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return (
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const
  ).map(
    ([u, v]) =>
      [
        cx + (u * length * cos) / 2 - (v * thickness * sin) / 2,
        cy + (u * length * sin) / 2 + (v * thickness * cos) / 2,
      ] as const,
  );
}

function rectangle(x: number, y: number, width: number, height: number): Outline {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}

function inkOf(inks: readonly Colour[], random: Random): Colour {
  return inks[Math.floor(random() * inks.length)]!;
}

/** Fibres, and ink that covers unevenly. */
function paintPaper(stage: Stage): void {
  const { raster, unit } = stage;
  const noise = noiseFor(stage, 'paper');
  for (let y = 0; y < raster.height; y++) {
    for (let x = 0; x < raster.width; x++) {
      const fibre =
        fractal(noise, (x / unit) * 160, (y / unit) * 70, 2) * 0.05 + noise((x / unit) * 3, (y / unit) * 3) * 0.035;
      const offset = (y * raster.width + x) * 3;
      for (let c = 0; c < 3; c++) raster.data[offset + c] = raster.data[offset + c]! * (0.97 + fibre);
    }
  }
}
