import { type EditPhrase } from '../phrases/match-phrases';
import { type Random } from '../raster/random';
import { type RgbImage } from '../raster/rgb-image';
import { COLOUR_WORDS } from '../scene/colour-words';

/** What an operation may use besides the image itself. */
export interface EditContext {
  readonly match: RegExpMatchArray;
  /** 1 by default; less for "slightly", more for "strongly". */
  readonly amount: number;
  readonly random: Random;
  /** All images of the task in their original state, including the first one. */
  readonly references: readonly RgbImage[];
  /** The size of the final result. */
  readonly width: number;
  readonly height: number;
}

/** An edit that can be applied to an image, and the words that ask for it. */
export interface EditOperation extends EditPhrase {
  readonly apply: (image: RgbImage, context: EditContext) => RgbImage | Promise<RgbImage>;
}

export function edit(name: string, pattern: RegExp, apply: EditOperation['apply']): EditOperation {
  return { name, pattern, apply };
}

/** Matches a colour's name, longest names first, two-word names with or without their space. */
export const COLOUR_PATTERN = [...COLOUR_WORDS.keys()]
  .sort((a, b) => b.length - a.length)
  .map((name) =>
    name.replace(/^(light|dark|deep|hot|medium|pale|royal|sky|sea|forest|midnight|navy)(?=[a-z]{3})/, '$1 ?'),
  )
  .join('|');

/** The hex colour of a matched name, or undefined. */
export function hexOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : COLOUR_WORDS.get(name.replaceAll(' ', ''));
}
