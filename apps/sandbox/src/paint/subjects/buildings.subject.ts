import { type Colour, fromHex } from '../../raster/colour';
import { type Outline } from '../../raster/shape';
import { type Pen, roundShade } from '../pen';
import { box, outlineOf, segment, type SubjectPainter } from './subject';

const TIMBER = fromHex('#7d5638');
const ROOF = fromHex('#5b3a30');
const STONE = fromHex('#9a9086');
const SLATE = fromHex('#4b5468');
const PLASTER = fromHex('#e6dcc8');
const SAIL = fromHex('#d8cdb8');
const DOOR = fromHex('#4a2f20');
const GLASS = fromHex('#39424d');
const LAMP = fromHex('#ffc879');
const SMOKE = fromHex('#c9c9cc');
const SNOW = fromHex('#f0f4fb');

function paintWindow(pen: Pen, outline: Outline): void {
  if (pen.dark) pen.shine(outline, LAMP, 2.6);
  else pen.fill(outline, GLASS, 0.5);
}

/** A log cabin in three-quarter view: a lit gable, a long side, a chimney. */
export const paintCabin: SubjectPainter = (pen, subject) => {
  const wall = subject.colour ?? TIMBER;
  const gable = pen.lightSide < 0 ? 0.8 : 0.25;
  const side = pen.lightSide < 0 ? 0.3 : 0.75;
  pen.fill(box(0.28, 0.72, 0.1, 0.32), STONE, 0.45);
  pen.fill(outlineOf('-0.12,0 -0.12,0.46 0.66,0.46 0.66,0'), wall, side);
  pen.fill(outlineOf('-0.62,0 -0.62,0.46 -0.37,0.86 -0.12,0.46 -0.12,0'), wall, gable);
  for (let i = 1; i < 8; i++) {
    pen.line(segment(-0.62, i * 0.058, -0.12, i * 0.058), 0.008, DOOR, gable * 0.5);
    pen.line(segment(-0.12, i * 0.058, 0.66, i * 0.058), 0.008, DOOR, side * 0.5);
  }
  pen.fill(outlineOf('-0.41,0.92 0.44,0.9 0.74,0.42 -0.08,0.42'), pen.snowy ? SNOW : ROOF, 0.62);
  pen.fill(outlineOf('-0.41,0.92 -0.36,0.86 -0.66,0.4 -0.72,0.42'), pen.snowy ? SNOW : ROOF, gable);
  paintWindow(pen, box(-0.5, 0.2, 0.11, 0.14));
  pen.fill(box(-0.3, 0, 0.12, 0.28), DOOR, gable);
  paintWindow(pen, box(0.06, 0.18, 0.13, 0.15));
  paintWindow(pen, box(0.38, 0.18, 0.13, 0.15));
  for (let i = 0; i < 9; i++)
    pen.puff(0.33 + Math.sin(i * 0.9) * 0.03 + i * 0.035, 1.08 + i * 0.085, 0.035 + i * 0.014, SMOKE, 0.34 - i * 0.034);
  if (pen.dark) pen.halo(-0.05, 0.25, 1.3, LAMP, 0.35);
};

/** A castle: curtain wall, gate and four round towers of unequal height. */
export const paintCastle: SubjectPainter = (pen, subject, random) => {
  const roof = subject.colour ?? SLATE;
  const towers = [
    [-0.44, 0.5, 0.085],
    [-0.17, 0.66, 0.075],
    [0.17, 0.8, 0.09],
    [0.46, 0.56, 0.08],
  ] as const;
  pen.fill(box(-0.2, 0.1, 0.4, 0.42), STONE, 0.42);
  crenellate(pen, -0.2, 0.2, 0.52);
  for (const [x, top, half] of [towers[1], towers[2]]) paintRoundTower(pen, x, top, half, roof);
  pen.fill(box(-0.46, -0.05, 0.92, 0.33), STONE, (x) => 0.4 + 0.22 * x * pen.lightSide);
  crenellate(pen, -0.46, 0.46, 0.28);
  pen.fill(outlineOf('-0.06,-0.05 -0.06,0.12 -0.03,0.165 0.03,0.165 0.06,0.12 0.06,-0.05'), DOOR, 0.15);
  for (const [x, top, half] of [towers[0], towers[3]]) paintRoundTower(pen, x, top, half, roof);
  for (let i = 0; i < 8; i++) paintWindow(pen, box(-0.34 + i * 0.09 + random() * 0.02, 0.16, 0.014, 0.036));
  if (pen.dark) pen.halo(0, 0.2, 0.8, LAMP, 0.22);
};

/** A round keep that stands alone. */
export const paintTower: SubjectPainter = (pen, subject) => {
  pen.fill(outlineOf('-0.2,-0.05 -0.15,0.1 -0.14,0.68 0.14,0.68 0.15,0.1 0.2,-0.05'), STONE, roundShade(pen, 0, 0.18));
  for (let row = 0; row < 9; row++) {
    for (let i = -2; i <= 2; i++)
      pen.line(
        segment(
          i * 0.056 + (row % 2) * 0.028 - 0.02,
          row * 0.07 + 0.06,
          i * 0.056 + (row % 2) * 0.028 + 0.008,
          row * 0.07 + 0.06,
        ),
        0.005,
        DOOR,
        0.3,
      );
  }
  pen.fill(box(-0.17, 0.66, 0.34, 0.06), STONE, roundShade(pen, 0, 0.18));
  crenellate(pen, -0.17, 0.17, 0.72);
  pen.fill(outlineOf('-0.15,0.75 0,1 0.15,0.75'), subject.colour ?? ROOF, roundShade(pen, 0, 0.15));
  for (const y of [0.3, 0.5]) paintWindow(pen, box(-0.018, y, 0.036, 0.07));
  pen.fill(box(-0.045, -0.05, 0.09, 0.17), DOOR, 0.3);
};

/** A tower mill with four sails. */
export const paintWindmill: SubjectPainter = (pen, subject, random) => {
  pen.fill(outlineOf('-0.17,-0.03 -0.105,0.58 0.105,0.58 0.17,-0.03'), PLASTER, roundShade(pen, 0, 0.16));
  pen.fill(
    outlineOf('-0.125,0.57 -0.1,0.66 0,0.73 0.1,0.66 0.125,0.57'),
    subject.colour ?? ROOF,
    roundShade(pen, 0, 0.12),
  );
  pen.fill(box(-0.035, -0.03, 0.07, 0.14), DOOR, 0.4);
  for (const y of [0.22, 0.4]) paintWindow(pen, box(-0.02, y, 0.04, 0.055));
  const turn = random() * 1.5;
  for (let i = 0; i < 4; i++) paintMillSail(pen, turn + (i * Math.PI) / 2);
  pen.disc(0, 0.62, 0.018, DOOR, 0.6);
};

function paintMillSail(pen: Pen, angle: number): void {
  const along = (reach: number, aside: number): readonly [number, number] => [
    Math.cos(angle) * reach - Math.sin(angle) * aside,
    0.62 + Math.sin(angle) * reach + Math.cos(angle) * aside,
  ];
  pen.line([along(0, 0), along(0.42, 0)], 0.014, DOOR, 0.6);
  pen.fill([along(0.09, 0.005), along(0.42, 0.005), along(0.42, 0.075), along(0.09, 0.06)], SAIL, 0.75);
  for (const reach of [0.16, 0.24, 0.32]) pen.line([along(reach, 0), along(reach, 0.07)], 0.006, DOOR, 0.5);
}

function paintRoundTower(pen: Pen, x: number, top: number, half: number, roof: Colour): void {
  pen.fill(box(x - half, -0.05, half * 2, top + 0.05), STONE, roundShade(pen, x, half));
  pen.fill(box(x - half * 1.15, top - 0.035, half * 2.3, 0.05), STONE, roundShade(pen, x, half));
  pen.fill(
    [
      [x - half * 1.2, top + 0.01],
      [x, top + half * 2.6],
      [x + half * 1.2, top + 0.01],
    ],
    roof,
    roundShade(pen, x, half),
  );
  pen.line(segment(x, top + half * 2.5, x, top + half * 3.2), 0.006, DOOR, 0.5);
  for (const y of [0.45, 0.72]) paintWindow(pen, box(x - 0.009, top * y, 0.018, 0.042));
}

function crenellate(pen: Pen, from: number, to: number, y: number): void {
  const teeth = Math.round((to - from) / 0.05);
  const step = (to - from) / teeth;
  for (let i = 0; i < teeth; i++) pen.fill(box(from + i * step, y - 0.004, step * 0.58, 0.032), STONE, 0.5);
}
