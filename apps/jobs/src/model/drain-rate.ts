import type { BacklogCount } from './backlog.repository';

/** The window of the rate: long enough for slow models, short enough to notice a change. */
const WINDOW_MS = 60_000;
/** `Retry-After` is at least 1 (decisions: Every response). */
const MIN_RETRY_AFTER_SECONDS = 1;
/** The upper bound: a queue that stands still may move again at any time. */
const MAX_RETRY_AFTER_SECONDS = 60;
/** Before the first interval is known. */
const FIRST_RETRY_AFTER_SECONDS = 5;

interface Interval {
  endedAtMs: number;
  durationMs: number;
  left: number;
}

/** The rate at which jobs leave a queue, from successive counts. */
export class DrainRate {
  private intervals: Interval[] = [];
  private last: BacklogCount | null = null;

  get countedAtMs(): number {
    return this.last?.at_ms ?? 0;
  }

  add(count: BacklogCount): void {
    if (this.last) {
      const interval = { endedAtMs: count.at_ms, durationMs: count.at_ms - this.last.at_ms };
      this.intervals.push({ ...interval, left: Math.max(0, this.last.waiting - count.still_waiting) });
    }
    this.intervals = this.intervals.filter(({ endedAtMs }) => count.at_ms - endedAtMs < WINDOW_MS);
    this.last = count;
  }

  /** Whole seconds until this many places are free, at the current rate. */
  secondsUntilFree(places: number): number {
    const durationMs = this.intervals.reduce((sum, interval) => sum + interval.durationMs, 0);
    const left = this.intervals.reduce((sum, interval) => sum + interval.left, 0);
    if (durationMs === 0) return FIRST_RETRY_AFTER_SECONDS;
    if (left === 0) return MAX_RETRY_AFTER_SECONDS;
    const seconds = Math.ceil((places * durationMs) / left / 1_000);
    return Math.min(Math.max(seconds, MIN_RETRY_AFTER_SECONDS), MAX_RETRY_AFTER_SECONDS);
  }
}
