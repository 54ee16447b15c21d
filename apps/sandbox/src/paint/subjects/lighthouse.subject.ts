import { type Colour, fromHex } from '../../raster/colour';
import { type Outline } from '../../raster/shape';
import { type Pen, roundShade } from '../pen';
import { box, outlineOf, segment, type SubjectPainter } from './subject';

const WHITE = fromHex('#efe9df');
const RED = fromHex('#b5332b');
const IRON = fromHex('#2b2f36');
const LAMP = fromHex('#ffe3a0');
const STONE = fromHex('#6a625c');
const ROOF = fromHex('#8a4034');

export const paintLighthouse: SubjectPainter = (pen, subject) => {
  paintRocks(pen);
  paintKeepersHouse(pen);
  paintTower(pen, subject.colour ?? RED);
  paintLantern(pen, subject.colour ?? RED);
};

function paintRocks(pen: Pen): void {
  for (const [x, wide, tall] of [
    [-0.2, 0.16, 0.07],
    [0.22, 0.2, 0.06],
    [0.02, 0.24, 0.08],
  ] as const) {
    pen.fill(
      [
        [x - wide, -0.08],
        [x - wide * 0.7, tall * 0.5],
        [x - wide * 0.1, tall],
        [x + wide * 0.5, tall * 0.7],
        [x + wide, -0.08],
      ],
      STONE,
      0.25,
    );
    pen.fill(
      [
        [x - wide * 0.1, tall],
        [x + wide * 0.5, tall * 0.7],
        [x + wide, -0.08],
        [x + wide * 0.1, -0.08],
      ],
      STONE,
      pen.lightSide > 0 ? 0.7 : 0.1,
    );
  }
}

function paintKeepersHouse(pen: Pen): void {
  pen.fill(box(0.08, 0.02, 0.2, 0.1), WHITE, pen.lightSide > 0 ? 0.75 : 0.3);
  pen.fill(outlineOf('0.06,0.12 0.12,0.19 0.24,0.19 0.3,0.12'), ROOF, 0.55);
  for (const x of [0.13, 0.21]) {
    if (pen.dark) pen.shine(box(x, 0.055, 0.03, 0.035), LAMP, 2.2);
    else pen.fill(box(x, 0.055, 0.03, 0.035), IRON, 0.3);
  }
}

const tower = (y: number): number => 0.088 - 0.036 * y;

function paintTower(pen: Pen, bands: Colour): void {
  const shade = roundShade(pen, 0, 0.085);
  const ring = (from: number, to: number): Outline => [
    [-tower(from), from],
    [-tower(to), to],
    [tower(to), to],
    [tower(from), from],
  ];
  pen.fill(ring(0, 0.76), WHITE, shade);
  for (const from of [0.1, 0.34, 0.58]) pen.fill(ring(from, from + 0.12), bands, shade);
  for (const [y, x] of [
    [0.27, 0.012],
    [0.52, -0.016],
  ] as const) {
    if (pen.dark) pen.shine(box(x - 0.009, y, 0.018, 0.035), LAMP, 1.8);
    else pen.fill(box(x - 0.009, y, 0.018, 0.035), IRON, 0.2);
  }
  pen.fill(box(-0.085, 0.76, 0.17, 0.018), IRON, shade);
  for (let i = -4; i <= 4; i++) pen.line(segment(i * 0.0195, 0.778, i * 0.0195, 0.812), 0.004, IRON, 0.4);
  pen.line(segment(-0.082, 0.812, 0.082, 0.812), 0.006, IRON, 0.5);
}

function paintLantern(pen: Pen, roof: Colour): void {
  pen.fill(box(-0.045, 0.778, 0.09, 0.1), IRON, 0.4);
  pen.shine(box(-0.036, 0.786, 0.072, 0.084), LAMP, pen.dark ? 7 : 1.1);
  for (const x of [-0.013, 0.013]) pen.line(segment(x, 0.786, x, 0.872), 0.004, IRON, 0.3);
  pen.fill(
    outlineOf('-0.06,0.876 -0.04,0.925 -0.012,0.955 0.012,0.955 0.04,0.925 0.06,0.876'),
    roof,
    roundShade(pen, 0, 0.06),
  );
  pen.line(segment(0, 0.95, 0, 1), 0.006, IRON, 0.4);
  if (!pen.dark) return;
  pen.halo(0, 0.83, 0.55, LAMP, 0.8);
  for (const side of [-1, 1]) {
    for (const [spread, strength] of [
      [0.16, 0.1],
      [0.09, 0.1],
      [0.04, 0.14],
    ] as const)
      pen.beam(
        [
          [0, 0.83],
          [side * 3, 0.95 + spread * 3],
          [side * 3, 0.95 - spread * 2],
        ],
        LAMP,
        strength,
      );
  }
}
