import type { BacklogCount } from './backlog.repository';

/** As far back as the pace of a queue is remembered: long enough for slow models, short enough to notice a change. */
const WINDOW_MS = 60_000;
/** `Retry-After` is at least 1 (decisions: Every response). */
const MIN_RETRY_AFTER_SECONDS = 1;
/** A queue that does not move may move again at any time. */
const MAX_RETRY_AFTER_SECONDS = 60;
/** Before anything is known. */
const FIRST_RETRY_AFTER_SECONDS = 5;

interface Interval {
  endedAtMs: number;
  durationMs: number;
  left: number;
}

/** How fast jobs leave a queue, by the looks at it. */
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

  /** Whole seconds until so many places will have become free, if the queue keeps its pace. */
  secondsUntilFree(places: number): number {
    const durationMs = this.intervals.reduce((sum, interval) => sum + interval.durationMs, 0);
    const left = this.intervals.reduce((sum, interval) => sum + interval.left, 0);
    if (durationMs === 0) return FIRST_RETRY_AFTER_SECONDS;
    if (left === 0) return MAX_RETRY_AFTER_SECONDS;
    const seconds = Math.ceil((places * durationMs) / left / 1_000);
    return Math.min(Math.max(seconds, MIN_RETRY_AFTER_SECONDS), MAX_RETRY_AFTER_SECONDS);
  }
}
