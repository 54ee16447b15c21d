/** How slowly a body may arrive. */
export interface SenderPace {
  /** A connection that begins slowly, or stands still for a moment, is no attack. */
  graceMs: number;
  /** On average since the grace; 0 sets no bound. */
  minBytesPerSecond: number;
  /** For the whole body, however fast it arrives. */
  maxMs: number;
}

/**
 * How long after its beginning a body is cut off unless more of it arrives. Every byte prolongs it, so that a client on a bad
 * line may make up for a pause.
 */
export function cutOffAfterMs(arrivedBytes: number, { graceMs, minBytesPerSecond, maxMs }: SenderPace): number {
  if (minBytesPerSecond === 0) return maxMs;
  return Math.min(graceMs + (arrivedBytes / minBytesPerSecond) * 1_000, maxMs);
}
