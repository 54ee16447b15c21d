import type { BacklogLook } from './backlog.repository';

/** As far back as the pace of a lane is remembered: long enough for slow models, short enough to notice a change. */
const WINDOW_MS = 60_000;
/** `Retry-After` is at least 1 (decisions: Every response). */
const MIN_RETRY_AFTER_SECONDS = 1;
/** A lane that does not move may move again at any time. */
const MAX_RETRY_AFTER_SECONDS = 60;
/** Before anything is known. */
const FIRST_RETRY_AFTER_SECONDS = 5;

interface Stretch {
  endedAtMs: number;
  lastedMs: number;
  left: number;
}

/** How fast jobs leave a lane, by the looks at it. */
export class Drain {
  private stretches: Stretch[] = [];
  private last: BacklogLook | null = null;

  get lookedAtMs(): number {
    return this.last?.at_ms ?? 0;
  }

  add(look: BacklogLook): void {
    if (this.last) {
      const stretch = { endedAtMs: look.at_ms, lastedMs: look.at_ms - this.last.at_ms };
      this.stretches.push({ ...stretch, left: Math.max(0, this.last.waiting - look.still_waiting) });
    }
    this.stretches = this.stretches.filter(({ endedAtMs }) => look.at_ms - endedAtMs < WINDOW_MS);
    this.last = look;
  }

  /** Whole seconds until so many places will have become free, if the lane keeps its pace. */
  secondsUntilFree(places: number): number {
    const lastedMs = this.stretches.reduce((sum, stretch) => sum + stretch.lastedMs, 0);
    const left = this.stretches.reduce((sum, stretch) => sum + stretch.left, 0);
    if (lastedMs === 0) return FIRST_RETRY_AFTER_SECONDS;
    if (left === 0) return MAX_RETRY_AFTER_SECONDS;
    const seconds = Math.ceil((places * lastedMs) / left / 1_000);
    return Math.min(Math.max(seconds, MIN_RETRY_AFTER_SECONDS), MAX_RETRY_AFTER_SECONDS);
  }
}
