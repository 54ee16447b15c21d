import { performance } from 'node:perf_hooks';

const TICK_MS = 1_000;
/** Shorter pauses are usual on a busy machine. */
const IGNORED_PAUSE_MS = 5_000;

/**
 * How old a message may be that is read now. A deadline counts from the arrival of its message, because the clocks of two machines
 * need not agree, and a process that stood still reads old messages when it continues. It therefore measures its own pauses, by
 * the monotonic clock. After a pause every message counts as old as the pause, until the broker has answered a ping that was sent
 * after it: a connection keeps the order of messages.
 */
export class MessageAge {
  private aliveAtMs = performance.now();
  private pauseMs = 0;
  private pauses = 0;

  constructor(private readonly ping: () => Promise<void>) {
    setInterval(() => this.maxMs(), TICK_MS).unref();
  }

  /** An upper bound in milliseconds; 0 unless the process stood still. */
  maxMs(): number {
    const now = performance.now();
    const pauseMs = now - this.aliveAtMs;
    this.aliveAtMs = now;
    if (pauseMs > IGNORED_PAUSE_MS) void this.expectOldMessages(pauseMs);
    return this.pauseMs;
  }

  private async expectOldMessages(pauseMs: number): Promise<void> {
    this.pauseMs = Math.max(this.pauseMs, pauseMs);
    this.pauses += 1;
    const pause = this.pauses;
    // Without a connection there are no messages of before the pause.
    await this.ping().catch(() => undefined);
    if (pause === this.pauses) this.pauseMs = 0;
  }
}
