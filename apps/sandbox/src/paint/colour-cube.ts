import { fromLab, linearToSrgb, srgbToLinear, toLab } from '../raster/colour';
import { clamp } from '../raster/curve';
import { type Grade } from './grade';

/** A grade computed once for a coarse grid of all colours and interpolated for pixels. Red varies fastest. */
export type ColourCube = Float32Array;

const SIDE = 33;

export function createColourCube(grade: Grade): ColourCube {
  const cube = new Float32Array(SIDE ** 3 * 3);
  const level = (index: number): number => srgbToLinear(index / (SIDE - 1));
  for (let blue = 0; blue < SIDE; blue++) {
    for (let green = 0; green < SIDE; green++) {
      for (let red = 0; red < SIDE; red++) {
        const graded = fromLab(grade(toLab([level(red), level(green), level(blue)])));
        cube.set(
          graded.map((value) => linearToSrgb(clamp(value, 0, 1)) * 255),
          ((blue * SIDE + green) * SIDE + red) * 3,
        );
      }
    }
  }
  return cube;
}

/** Replaces an sRGB colour (0 to 255) by its graded one. */
export function lookUpColour(cube: ColourCube, colour: Float32Array): void {
  const scale = (SIDE - 1.001) / 255;
  const red = colour[0]! * scale;
  const green = colour[1]! * scale;
  const blue = colour[2]! * scale;
  const r = red | 0;
  const g = green | 0;
  const b = blue | 0;
  const base = ((b * SIDE + g) * SIDE + r) * 3;
  const [fr, fg, fb] = [red - r, green - g, blue - b];
  for (let c = 0; c < 3; c++) {
    const i = base + c;
    const near = between(
      between(cube[i]!, cube[i + 3]!, fr),
      between(cube[i + SIDE * 3]!, cube[i + SIDE * 3 + 3]!, fr),
      fg,
    );
    const j = i + SIDE * SIDE * 3;
    const far = between(
      between(cube[j]!, cube[j + 3]!, fr),
      between(cube[j + SIDE * 3]!, cube[j + SIDE * 3 + 3]!, fr),
      fg,
    );
    colour[c] = near + (far - near) * fb;
  }
}

function between(from: number, to: number, amount: number): number {
  return from + (to - from) * amount;
}
