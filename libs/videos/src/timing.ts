import { VIDEO_BOUNDS, VideoProblem } from './video-problem';

export interface Timing {
  /** For each picture, in the order of the given timestamps: when it is shown, from zero, and for how long. */
  shownAt: { timestampSeconds: number; durationSeconds: number }[];
  durationSeconds: number;
  fps: number;
}

/** Encoders of a model's frames are far more even, also those whose clocks round. */
const MAX_STRETCH = 1.5;

/**
 * Measures a video by the times at which its pictures are shown. The last one lasts as long as the others on average,
 * because its duration in the container is not verified. The duration of a single picture is not verified either, but
 * there is no other source.
 */
export function measureTiming(timestamps: readonly number[], firstDurationSeconds: number): Timing {
  const order = timestamps.map((_, index) => index).sort((a, b) => (timestamps[a] ?? 0) - (timestamps[b] ?? 0));
  const sorted = order.map((index) => timestamps[index] ?? 0);
  const [first = 0] = sorted;
  const span = (sorted.at(-1) ?? 0) - first;
  const meanSeconds = sorted.length > 1 ? span / (sorted.length - 1) : firstDurationSeconds;
  const durationSeconds = span + meanSeconds;
  assertPlausible(sorted, durationSeconds);
  assertEven(sorted, meanSeconds);
  const shownAt: Timing['shownAt'] = [];
  order.forEach((index, place) => {
    const at = sorted[place] ?? 0;
    const next = sorted[place + 1] ?? at + meanSeconds;
    shownAt[index] = { timestampSeconds: at - first, durationSeconds: next - at };
  });
  return { shownAt, durationSeconds: rounded(durationSeconds), fps: rounded(1 / meanSeconds) };
}

function assertPlausible(sorted: readonly number[], durationSeconds: number): void {
  const { maxDurationSeconds } = VIDEO_BOUNDS;
  // Of two pictures with the same time, players show either.
  if (!(durationSeconds > 0) || sorted.some((at, i) => i > 0 && at <= (sorted[i - 1] ?? 0))) {
    throw new VideoProblem('damaged', 'The pictures of the video do not follow each other in time.');
  }
  if (durationSeconds > maxDurationSeconds) {
    throw new VideoProblem('too_long', `The video is longer than ${maxDurationSeconds} seconds.`);
  }
}

/**
 * Frames are picked for judging by their index: a frame shown for seconds would count as little as one shown for an
 * instant.
 */
function assertEven(sorted: readonly number[], meanSeconds: number): void {
  if (sorted.some((at, i) => i > 0 && at - (sorted[i - 1] ?? 0) > MAX_STRETCH * meanSeconds)) {
    throw new VideoProblem('unsupported', 'The video does not show its pictures at an even pace.');
  }
}

/** To the thousandth: clocks of containers cannot express most frame rates exactly. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
