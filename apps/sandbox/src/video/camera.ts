/** The position of the camera at one moment, relative to the start frame. */
export interface Camera {
  /** How far the middle of the view has moved right and down, as shares of the frame. */
  readonly shiftX: number;
  readonly shiftY: number;
  /** 1 shows the whole frame, 2 its middle half. */
  readonly zoom: number;
  /** Rotation about the line of sight, in radians. */
  readonly roll: number;
  /** How far near objects move relative to far ones, as shares of the frame. */
  readonly orbitX: number;
  readonly orbitY: number;
}

export const CAMERA_AT_REST: Camera = { shiftX: 0, shiftY: 0, zoom: 1, roll: 0, orbitX: 0, orbitY: 0 };

/** Combines two moves: distances add up, magnifications multiply. */
export function combineCameras(a: Camera, b: Partial<Camera>): Camera {
  return {
    shiftX: a.shiftX + (b.shiftX ?? 0),
    shiftY: a.shiftY + (b.shiftY ?? 0),
    zoom: a.zoom * (b.zoom ?? 1),
    roll: a.roll + (b.roll ?? 0),
    orbitX: a.orbitX + (b.orbitX ?? 0),
    orbitY: a.orbitY + (b.orbitY ?? 0),
  };
}
