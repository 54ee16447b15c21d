export type VideoProblemReason =
  | 'too_many_bytes'
  | 'not_a_video'
  | 'unsupported'
  | 'too_large_side'
  | 'too_long'
  | 'too_many_frames'
  | 'damaged'
  | 'cannot_be_judged';

/** What is wrong with a video: a reason for code, a message for people. */
export class VideoProblem extends Error {
  override readonly name = 'VideoProblem';

  constructor(
    readonly reason: VideoProblemReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
