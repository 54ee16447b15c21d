import { type Colour, fromHex, fromLab, type Lab, linearToSrgb, srgbToLinear, toLab } from '../raster/colour';
import { clamp, mix, smoothstep } from '../raster/curve';
import { mapPixels, type RgbImage } from '../raster/rgb-image';
import { type Mood, type Scene } from '../scene/scene';
import { ABSTRACT } from '../scene/scene-from-prompt';
import { PALETTES_BY_MOOD } from './abstract';

/** Changes a colour as a whole, lightness and tint. */
export type Grade = (colour: Lab) => Lab;

/** How far each mood raises lightness, changes contrast, scales colour, and shifts it to red and to yellow. */
const MOODS: Readonly<
  Record<Mood, readonly [lift: number, contrast: number, chroma: number, red: number, yellow: number]>
> = {
  pastel: [0.15, 0.72, 0.72, 0.004, 0],
  neon: [-0.05, 1.15, 1.35, 0.01, -0.02],
  monochrome: [0, 1.12, 0, 0, 0],
  sepia: [0.02, 0.95, 0.05, 0, 0],
  warm: [0.015, 1, 1.05, 0.016, 0.04],
  cool: [0, 1, 0.95, -0.014, -0.04],
  vivid: [0, 1.08, 1.4, 0, 0],
  muted: [0.05, 0.82, 0.52, 0.003, 0.01],
  dark: [-0.14, 1.05, 0.85, 0, -0.006],
  bright: [0.08, 0.95, 1.05, 0, 0.005],
  dramatic: [-0.03, 1.24, 1.05, 0, 0],
};
/** Moods that tint an image which the prompt gives no colour. */
const TINTS: Readonly<Partial<Record<Mood, readonly string[]>>> = {
  neon: ['#1a0b4a', '#c0209a', '#20c8ff'],
  sepia: ['#2a1608', '#a07a4c', '#f4e6c8'],
};

export function gradeOf({ setting, colours, moods, gradeStrength }: Scene): Grade | undefined {
  // Abstract images are painted in the prompt's own colours already, or in the palette of its mood.
  const isAbstract = ABSTRACT.has(setting);
  const named = colours.filter((colour) => Math.hypot(...toLab(colour).slice(1)) > 0.03);
  const tints = named.length > 0 ? named : moods.flatMap((mood) => TINTS[mood] ?? []).map(fromHex);
  const steps = moods
    .filter((mood) => !(isAbstract && PALETTES_BY_MOOD[mood]))
    .map((mood) => moodGrade(mood, 0.6 + 0.7 * gradeStrength));
  if (tints.length > 0 && !isAbstract) steps.unshift(tintTowards(tints, gradeStrength));
  return steps.length > 0 ? (colour) => steps.reduce((current, step) => step(current), colour) : undefined;
}

/**
 * Keeps every pixel's lightness and shifts its colour to the named ones: the darkest to the shadows, the lightest to
 * the highlights.
 */
export function tintTowards(colours: readonly Colour[], strength: number): Grade {
  const labs = colours.map(toLab).sort((a, b) => a[0] - b[0]);
  return ([lightness, a, b]) => {
    const place = smoothstep(0.15, 0.9, lightness) * (labs.length - 1);
    const lower = labs[Math.floor(place)]!;
    const upper = labs[Math.min(labs.length - 1, Math.floor(place) + 1)]!;
    const between = place - Math.floor(place);
    // Black and white leave no range for colour.
    const room = smoothstep(0, 0.3, lightness) * smoothstep(1.05, 0.75, lightness);
    const tint = (c: 1 | 2): number => mix(lower[c], upper[c], between) * room * 0.8;
    return [lightness, mix(a, tint(1), strength), mix(b, tint(2), strength)];
  };
}

export function moodGrade(mood: Mood, strength: number): Grade {
  const [lift, contrast, chroma, red, yellow] = MOODS[mood];
  const scale = mix(1, chroma, mood === 'monochrome' || mood === 'sepia' ? 1 : Math.min(strength, 1));
  return ([lightness, a, b]) => {
    const bent = 0.5 + (lightness - 0.5) * mix(1, contrast, strength);
    // Shadows stay dark and neutral; a mood changes only what is visible.
    const seen = smoothstep(0, 0.55, lightness) * strength;
    const tinted = smoothstep(0.2, 0.95, lightness) * strength;
    return [clamp(bent + lift * seen, 0, 1), a * scale + red * tinted, b * scale + yellow * tinted];
  };
}

/** A grade computed once for a coarse grid of all colours and interpolated for pixels. Red varies fastest. */
export type ColourCube = Float32Array;

const SIDE = 33;

export function createColourCube(grade: Grade): ColourCube {
  const cube = new Float32Array(SIDE ** 3 * 3);
  const level = (index: number): number => srgbToLinear((index % SIDE) / (SIDE - 1));
  for (let i = 0; i < SIDE ** 3; i++) {
    const graded = fromLab(grade(toLab([level(i), level(Math.floor(i / SIDE)), level(Math.floor(i / SIDE ** 2))])));
    for (let c = 0; c < 3; c++) cube[i * 3 + c] = linearToSrgb(clamp(graded[c]!, 0, 1)) * 255;
  }
  return cube;
}

/** Replaces an sRGB colour (0 to 255) by its graded one. */
export function lookUpColour(cube: ColourCube, colour: Float32Array): void {
  const scale = (SIDE - 1.001) / 255;
  const [red, green, blue] = [colour[0]! * scale, colour[1]! * scale, colour[2]! * scale];
  const [r, g, b] = [red | 0, green | 0, blue | 0];
  const base = ((b * SIDE + g) * SIDE + r) * 3;
  for (let c = 0; c < 3; c++) {
    const along = (i: number): number => mix(cube[i]!, cube[i + 3]!, red - r);
    const plane = (i: number): number => mix(along(i), along(i + SIDE * 3), green - g);
    colour[c] = mix(plane(base + c), plane(base + c + SIDE ** 2 * 3), blue - b);
  }
}

/** Changes lightness and tint of an image. */
export function gradePixels(image: RgbImage, grade: Grade): RgbImage {
  const cube = createColourCube(grade);
  return mapPixels(image, (colour) => lookUpColour(cube, colour));
}
