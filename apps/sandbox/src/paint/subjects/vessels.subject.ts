import { type Colour, fromHex } from '../../raster/colour';
import { type Outline } from '../../raster/shape';
import { type Pen } from '../pen';
import { box, outlineOf, segment, type SubjectPainter } from './subject';

const CANVAS = fromHex('#f3ead8');
const HULL = fromHex('#7a3b26');
const DECK = fromHex('#b98a58');
const MAST = fromHex('#5a3f2b');
const BLACK = fromHex('#2a211d');
const LAMP = fromHex('#ffd9a0');

/** A small yacht under mainsail and jib. */
export const paintSailboat: SubjectPainter = (pen, subject) => {
  const sail = subject.colour ?? CANVAS;
  const belly: Outline = outlineOf('0.02,0.16 0.02,0.97 0.12,0.72 0.26,0.42 0.4,0.17 0.2,0.145');
  pen.fill(belly, sail, (x, y) => 0.85 - Math.abs(x - 0.14 * (1 - y)) * (pen.lightSide > 0 ? 0.6 : 1.4));
  pen.fill(
    outlineOf('-0.015,0.2 -0.015,0.86 -0.12,0.52 -0.3,0.16 -0.15,0.18'),
    CANVAS,
    (x) => (pen.lightSide < 0 ? 0.95 : 0.55) + x * 0.6,
  );
  for (const y of [0.35, 0.55, 0.74]) pen.line(segment(0.02, y, 0.3 * (1 - y) + 0.05, y - 0.015), 0.003, MAST, 0.2);
  pen.line(segment(0, 0.08, 0, 1), 0.014, MAST, 0.6);
  pen.fill(
    outlineOf('-0.34,0.115 -0.25,0.0 0.3,0.0 0.36,0.1 0.1,0.085'),
    subject.colour ? CANVAS : HULL,
    (_x, y) => 0.2 + y * 6,
  );
  pen.line(outlineOf('-0.34,0.115 0.1,0.087 0.36,0.1'), 0.012, DECK, 0.9);
  if (pen.dark) pen.halo(0.1, 0.12, 0.25, LAMP, 0.5);
};

/** A three-masted ship under full sail. */
export const paintShip: SubjectPainter = (pen, subject) => {
  const masts = [
    [-0.26, 0.78],
    [0.02, 0.95],
    [0.29, 0.74],
  ] as const;
  pen.line(segment(0.46, 0.17, 0.68, 0.28), 0.012, MAST, 0.5);
  for (const [x, top] of masts) pen.line(segment(x, 0.1, x, top), (t) => 0.016 - 0.008 * t, MAST, 0.5);
  pen.fill(outlineOf('0.42,0.2 0.66,0.28 0.31,0.64'), CANVAS, 0.55);
  for (const [x, top] of masts) paintSquareSails(pen, x, top, subject.colour ?? CANVAS);
  const hull: Outline = outlineOf(
    '-0.5,0.24 -0.44,0.02 -0.38,0 0.36,0 0.46,0.06 0.52,0.19 0.4,0.15 -0.3,0.15 -0.34,0.23',
  );
  pen.fill(hull, HULL, (_x, y) => 0.15 + y * 3);
  pen.fill(outlineOf('-0.45,0.085 0.49,0.085 0.5,0.112 -0.46,0.112'), DECK, 0.7);
  for (let i = 0; i < 9; i++) {
    const x = -0.36 + i * 0.09;
    if (pen.dark) pen.shine(box(x, 0.09, 0.022, 0.018), LAMP, 2);
    else pen.fill(box(x, 0.09, 0.022, 0.018), BLACK, 0.2);
  }
  if (pen.dark) pen.halo(-0.42, 0.26, 0.3, LAMP, 0.6);
};

function paintSquareSails(pen: Pen, x: number, top: number, colour: Colour): void {
  const rows = 4;
  const bottom = 0.2;
  for (let row = 0; row < rows; row++) {
    const low = bottom + ((top - bottom) * row) / rows + 0.012;
    const high = bottom + ((top - bottom) * (row + 1)) / rows - 0.008;
    const wide = 0.135 - 0.02 * row;
    const sail: Outline = [
      [x - wide, low],
      [x - wide * 0.92, high],
      [x + wide * 0.86, high],
      [x + wide * 1.02, low],
      [x + wide * 0.4, low + 0.022],
      [x - wide * 0.4, low + 0.022],
    ];
    pen.fill(
      sail,
      colour,
      (px, py) => 0.42 + ((px - x) / wide) * 0.4 * pen.lightSide + ((py - low) / (high - low)) * 0.15,
    );
  }
}
