import { fromHex } from '../raster/colour';
import { fillOutline } from '../raster/fill-outline';
import { addHalo } from '../raster/around';
import { seenColour } from '../scene/light';
import { type Landmark } from '../scene/scene';
import { type Stage } from './stage';

/** Flat pieces from back to front: a colour, the lower and the upper edge's half width, and their heights. */
type Piece = readonly [hex: string, lower: number, upper: number, from: number, to: number];

interface Shape {
  readonly pieces: readonly Piece[];
  /** The height of a lamp that is lit in the dark. */
  readonly lamp: number;
  /** In the unit of the composition. */
  readonly tall: number;
}

/** Where it stands, and the air in front of it. */
interface Site {
  readonly x: number;
  readonly baseY: number;
  readonly air: number;
}

const SHAPES: Readonly<Record<Landmark, Shape>> = {
  lighthouse: {
    pieces: [
      ['#e8e2d6', 0.13, 0.08, 0, 0.78],
      ['#b4382e', 0.117, 0.105, 0.2, 0.38],
      ['#b4382e', 0.096, 0.084, 0.54, 0.72],
      ['#3a3f46', 0.11, 0.11, 0.78, 0.81],
      ['#ffe9b0', 0.055, 0.055, 0.81, 0.9],
      ['#b4382e', 0.08, 0, 0.9, 1],
    ],
    lamp: 0.86,
    tall: 0.26,
  },
  boat: {
    pieces: [
      ['#4a3a30', 0.01, 0.01, 0.1, 1],
      ['#f2ead8', 0.3, 0, 0.2, 0.97],
      ['#7a3328', 0.26, 0.4, 0, 0.16],
    ],
    lamp: 0.18,
    tall: 0.13,
  },
  house: {
    pieces: [
      ['#b8906a', 0.42, 0.42, 0, 0.55],
      ['#6d3b2e', 0.54, 0, 0.52, 1],
      ['#ffd9a0', 0.08, 0.08, 0.2, 0.4],
    ],
    lamp: 0.3,
    tall: 0.12,
  },
};

/** A landmark in the light of its scene; water in front of it mirrors it faintly. */
export function paintLandmark({ raster, light, unit }: Stage, landmark: Landmark, { x, baseY, air }: Site): void {
  const { pieces, lamp, tall: share } = SHAPES[landmark];
  const tall = share * unit;
  const paint = (up: 1 | -1, alpha: number): void => {
    for (const [hex, lower, upper, from, to] of pieces) {
      const [bottom, top] = [baseY - up * from * tall, baseY - up * to * tall];
      const faces = [0.2, 0.7].map((direct) => seenColour(light, fromHex(hex), direct, air));
      const outline = [
        [x - lower * tall, bottom],
        [x - upper * tall, top],
        [x + upper * tall, top],
        [x + lower * tall, bottom],
      ] as const;
      fillOutline(raster, outline, (px) => faces[(px - x) * light.side > 0 ? 1 : 0]!, alpha);
    }
  };
  if (landmark === 'boat') paint(-1, 0.35);
  paint(1, 1);
  if (light.dark) addHalo(raster, x, baseY - lamp * tall, tall * 0.8, fromHex('#ffe2a8'), 1.5);
}

/** On the water, nearer to the middle. */
export function paintBoat(stage: Stage): void {
  const { raster, light, unit, horizonY, scene } = stage;
  if (scene.landmark !== 'boat') return;
  paintLandmark(stage, 'boat', {
    x: raster.width / 2 - light.side * unit * 0.08,
    baseY: horizonY + unit * 0.14,
    air: 0.06,
  });
}
