import { ImageProblem } from '@kinora/images';

/** A file that is not a complete image. A retry does not help. */
export class UnreadableImage extends ImageProblem {
  constructor(
    /** The request's field, for an input; null for an output. */
    readonly param: string | null,
    { reason, message }: ImageProblem,
  ) {
    super(reason, message);
  }
}
