export type ImageProblemReason =
  | 'invalid_data_uri'
  | 'too_many_bytes'
  | 'not_an_image'
  | 'animated'
  | 'too_small'
  | 'too_large_side'
  | 'damaged'
  | 'wrong_size';

/** What is wrong with an image, as text that may be shown to its sender. */
export class ImageProblem extends Error {
  override readonly name = 'ImageProblem';

  constructor(
    readonly reason: ImageProblemReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
