const MIB = 1024 * 1024;

/** Far above the seconds that a model makes, far below what exhausts a machine. */
export const VIDEO_BOUNDS = {
  maxBytes: 64 * MIB,
  minSidePx: 16,
  maxSidePx: 4096,
  maxDurationSeconds: 60,
  maxFrames: 3_600,
} as const;
