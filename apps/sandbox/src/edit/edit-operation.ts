import { type RgbImage } from '../raster/rgb-image';
import { type Random } from '../raster/random';
import { type EditPhrase } from '../phrases/match-phrases';

/** What an operation may use besides the image itself. */
export interface EditContext {
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
  readonly apply: (image: RgbImage, match: RegExpMatchArray, context: EditContext) => RgbImage | Promise<RgbImage>;
}
