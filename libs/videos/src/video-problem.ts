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

const MIB = 1024 * 1024;

/** Far above the seconds that a model makes, far below what exhausts a machine. */
export const VIDEO_BOUNDS = {
  maxBytes: 64 * MIB,
  minSidePx: 16,
  maxSidePx: 4096,
  maxDurationSeconds: 60,
  maxFrames: 3_600,
} as const;
