/** A point of the ground as its colour sees it. `upright` is 1 where the ground is flat and 0 at a wall. */
export interface GroundPoint {
  x: number;
  z: number;
  height: number;
  upright: number;
}

/** Land to look at: a height for every place, a colour for every point, and the eye that looks. Lengths are in world units. */
export interface Terrain {
  /** How high the eye stands above level 0. */
  readonly eye: number;
  readonly near: number;
  readonly far: number;
  /** How much thicker the air is at level 0 than high above: mist in the valleys. */
  readonly mist: number;
  /** Whether ground below level 0 is under water. */
  readonly flooded: boolean;
  /** `grain` is the size of the smallest detail that is still seen there. */
  readonly height: (x: number, z: number, grain: number) => number;
  /** Writes the ground's own colour, in linear light. */
  readonly albedo: (point: GroundPoint, into: Float32Array) => void;
}
