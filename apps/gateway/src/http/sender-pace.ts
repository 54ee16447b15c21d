/** How slowly a body may arrive. */
export interface SenderPace {
  /** The minimum rate does not apply during this time: a slow start or a short stall is normal. */
  graceMs: number;
  /** Average rate after the grace; 0 sets no minimum. */
  minBytesPerSecond: number;
  /** Limit for the whole body, at any rate. */
  maxMs: number;
}

/**
 * Milliseconds after its start at which a body is refused unless more of it arrives. Every received byte extends this
 * time, so that a client on a bad connection can catch up after a pause.
 */
export function cutOffAfterMs(arrivedBytes: number, { graceMs, minBytesPerSecond, maxMs }: SenderPace): number {
  if (minBytesPerSecond === 0) return maxMs;
  return Math.min(graceMs + (arrivedBytes / minBytesPerSecond) * 1_000, maxMs);
}
