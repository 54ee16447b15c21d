/**
 * How many frames a graph is asked for that makes multiples of `step` plus one. The nearest such number: servers round any
 * other down without a word.
 */
export function frameCount(durationSeconds: number, fps: number, step: number): number {
  return Math.max(0, Math.round((durationSeconds * fps - 1) / step)) * step + 1;
}
