import { type Colour, fromHex, mixColours } from '../../raster/colour';
import { type Outline } from '../../raster/shape';
import { outlineOf, segment, type SubjectPainter } from './subject';

const STRIPES: readonly (readonly [Colour, Colour])[] = [
  [fromHex('#c8372d'), fromHex('#f0c24b')],
  [fromHex('#2c6fa8'), fromHex('#f2e6cf')],
  [fromHex('#e0782f'), fromHex('#7a2f5b')],
  [fromHex('#2f8f7a'), fromHex('#f3d36b')],
];
const WICKER = fromHex('#7a5230');
const ROPE = fromHex('#4a3a2c');
const FLAME = fromHex('#ffb54a');
const FEATHER = fromHex('#23262d');

/** A hot-air balloon: gores that narrow to the mouth, shaded like a ball, and a basket on ropes. */
export const paintBalloon: SubjectPainter = (pen, subject, random) => {
  const [first, second] = STRIPES[Math.floor(random() * STRIPES.length)]!;
  const main = subject.colour ?? first;
  const other = subject.colour ? mixColours(subject.colour, fromHex('#ffffff'), 0.6) : second;
  const gores = 12;
  const edge = (turn: number, y: number): readonly [number, number] => [Math.sin(turn) * balloonRadius(y), y];
  for (let i = 0; i < gores; i++) {
    const from = -Math.PI / 2 + (i * Math.PI) / gores;
    const to = from + Math.PI / gores;
    const left: (readonly [number, number])[] = [];
    const right: (readonly [number, number])[] = [];
    for (let step = 0; step <= 24; step++) {
      const y = 0.26 + (0.74 * step) / 24;
      left.push(edge(from, y));
      right.push(edge(to, y));
    }
    const middle = Math.sin((from + to) / 2);
    pen.fill(
      [...left, ...right.reverse()],
      i % 2 === 0 ? main : other,
      (_x, y) => 0.32 + 0.42 * middle * pen.lightSide + (y - 0.6) * 0.6,
    );
  }
  for (const x of [-0.055, -0.02, 0.02, 0.055]) pen.line(segment(x * 1.2, 0.27, x, 0.1), 0.005, ROPE, 0.3);
  pen.fill(outlineOf('-0.06,0.1 -0.05,0 0.05,0 0.06,0.1'), WICKER, (x) => 0.5 + x * 5 * pen.lightSide);
  if (pen.dark) pen.halo(0, 0.3, 0.7, FLAME, 0.55);
};

function balloonRadius(y: number): number {
  const t = (y - 0.26) / 0.74;
  const round = Math.sqrt(Math.max(0, 1 - ((t - 0.58) / 0.42) ** 2));
  return 0.37 * (t > 0.58 ? round : 0.17 + 0.83 * Math.sin((t / 0.58) * (Math.PI / 2)) ** 1.15);
}

/** A loose flock, each bird two bowed wings. */
export const paintBirds: SubjectPainter = (pen, subject, random) => {
  const count = 7 + Math.floor(random() * 7);
  for (let i = 0; i < count; i++) {
    const x = (random() - 0.5) * 2.2;
    const y = (random() - 0.5) * 0.8 + x * 0.12;
    const span = 0.07 + random() * 0.08;
    const lift = 0.25 + random() * 0.5;
    for (const side of [-1, 1]) {
      const wing: Outline = [
        [x, y],
        [x + side * span * 0.45, y + span * lift],
        [x + side * span, y + span * lift * 0.35],
        [x + side * span * 0.45, y + span * lift * 0.62],
      ];
      pen.fill(wing, subject.colour ?? FEATHER, 0.15);
    }
    pen.disc(x, y - span * 0.02, span * 0.09, subject.colour ?? FEATHER, 0.15);
  }
};
