/**
 * The number of frames for a graph that makes multiples of `step` plus one: the nearest such number, because servers round any
 * other number down without an error.
 */
export function frameCount(durationSeconds: number, fps: number, step: number): number {
  return Math.max(0, Math.round((durationSeconds * fps - 1) / step)) * step + 1;
}
