/** A point of the ground, as input of its colour. `upright` is 1 for flat ground and 0 at a wall. */
export interface GroundPoint {
  x: number;
  z: number;
  height: number;
  upright: number;
}

/** A landscape: a height for every place, a colour for every point, and the viewer. Lengths are in world units. */
export interface Terrain {
  /** The viewer's height above level 0. */
  readonly eye: number;
  readonly near: number;
  readonly far: number;
  /** How much denser the haze is at level 0 than high above: mist in the valleys. */
  readonly mist: number;
  /** Whether ground below level 0 is under water. */
  readonly flooded: boolean;
  /** `grain` is the size of the smallest visible detail there. */
  readonly height: (x: number, z: number, grain: number) => number;
  /** Writes the ground's own colour, in linear light. */
  readonly albedo: (point: GroundPoint, into: Float32Array) => void;
}
