import { type Colour } from '../../raster/colour';

/** Where a plant stands in the image, and its two colours there: in light and in shade. */
export interface PlantLook {
  readonly x: number;
  readonly baseY: number;
  readonly height: number;
  readonly lit: Colour;
  readonly shaded: Colour;
  /** -1 when the light comes from the left, 1 when from the right. */
  readonly lightSide: number;
}

/** The colour of a part of the plant that gets `bright` (0 to 1) of the light. */
export function lookAt({ lit, shaded }: PlantLook, bright: number): Colour {
  return [
    shaded[0] + (lit[0] - shaded[0]) * bright,
    shaded[1] + (lit[1] - shaded[1]) * bright,
    shaded[2] + (lit[2] - shaded[2]) * bright,
  ];
}
