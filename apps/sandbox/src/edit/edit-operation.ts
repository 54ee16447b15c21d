import { type Picture } from '../raster/picture';
import { type Random } from '../raster/random';
import { type Wish } from '../wishes/read-wishes';

/** What an operation may draw on besides the picture itself. */
export interface EditContext {
  /** 1 as asked; less for "slightly", more for "strongly". */
  readonly amount: number;
  readonly random: Random;
  /** All pictures that came with the task, the first one included, untouched. */
  readonly references: readonly Picture[];
  /** The size that is wanted in the end. */
  readonly width: number;
  readonly height: number;
}

/** Something that can be done to a picture, and the words that ask for it. */
export interface EditOperation extends Wish {
  readonly apply: (picture: Picture, match: RegExpMatchArray, context: EditContext) => Picture | Promise<Picture>;
}
