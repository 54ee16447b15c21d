import { type Setting } from '../scene/scene';

/** Plants of one kind: how many, where they grow, and how tall they get in world units. */
export interface Planting {
  readonly kind: 'conifer' | 'broadleaf';
  readonly count: number;
  readonly fromZ: number;
  readonly toZ: number;
  /** The heights between which they grow. */
  readonly heights: readonly [number, number];
  readonly tallest: number;
  /** The share of the land that is covered with plants; the rest is clearings. */
  readonly cover: number;
}

/** A landscape. Lengths are in world units; the viewer stands `eye` above level 0. */
export interface Terrain {
  readonly horizon: number;
  readonly eye: number;
  readonly base: number;
  /** Rolling ground: its frequency, and its height near the viewer and far off. */
  readonly roll: readonly [frequency: number, near: number, far: number];
  /** Ridges: their frequency, height and octaves, and the distances between which they rise. */
  readonly ridge?: readonly [frequency: number, height: number, octaves: number, from: number, to: number];
  /** A headland beside the water. */
  readonly cliff?: number;
  /** How strongly the wind moves its water; undefined if there is no water. */
  readonly swell?: number;
  readonly soil: 'grass' | 'sand';
  readonly snowLine: number;
  readonly plants?: Planting;
}

const CONIFERS: Planting = {
  kind: 'conifer',
  count: 5500,
  fromZ: 0.95,
  toZ: 11,
  heights: [0.02, 1.7],
  tallest: 0.14,
  cover: 0.62,
};
const OAKS: Planting = {
  kind: 'broadleaf',
  count: 420,
  fromZ: 1.6,
  toZ: 14,
  heights: [-1, 3],
  tallest: 0.2,
  cover: 0.45,
};
const WOOD: Planting = { ...CONIFERS, count: 380, fromZ: 2.2, toZ: 14, heights: [-2, 3], tallest: 1.1, cover: 2 };

export const TERRAINS: Readonly<Partial<Record<Setting, Terrain>>> = {
  mountains: {
    horizon: 0.5,
    eye: 0.62,
    base: 0,
    roll: [0.5, 0.26, 0.56],
    ridge: [0.24, 5.2, 9, 3, 14],
    soil: 'grass',
    snowLine: 1.9,
    plants: CONIFERS,
  },
  lake: {
    horizon: 0.55,
    eye: 0.42,
    base: -0.22,
    roll: [0.4, 0.42, 0.5],
    ridge: [0.24, 5, 9, 4, 15],
    swell: 0.35,
    soil: 'grass',
    snowLine: 1.9,
    plants: CONIFERS,
  },
  sea: { horizon: 0.56, eye: 0.4, base: -0.9, roll: [0.2, 0, 2.2], swell: 1, soil: 'grass', snowLine: 3 },
  coast: {
    horizon: 0.52,
    eye: 0.5,
    base: -0.05,
    roll: [0.8, 0, 0],
    cliff: 0.34,
    swell: 0.9,
    soil: 'grass',
    snowLine: 3,
  },
  forest: { horizon: 0.6, eye: 0.5, base: -0.1, roll: [0.5, 0.2, 0.5], soil: 'grass', snowLine: 9, plants: WOOD },
  desert: {
    horizon: 0.48,
    eye: 0.6,
    base: -0.35,
    roll: [0.2, 0.3, 0.6],
    ridge: [0.5, 2.6, 1, -4, 12],
    soil: 'sand',
    snowLine: 9,
  },
  meadow: { horizon: 0.5, eye: 0.5, base: -0.1, roll: [0.28, 0.7, 2.6], soil: 'grass', snowLine: 9, plants: OAKS },
};
