/** What a stream reacts to, by rising priority: a later change replaces an earlier one of no higher priority. */
const PRIORITY = { updated: 1, ended: 2, over: 3 } as const;

export type Change = keyof typeof PRIORITY;

/** Holds one change for a reader that may be busy, however many arrive meanwhile. */
export class LatestChange {
  private change: Change | null = null;
  private wake: () => void = () => undefined;

  put(change: Change): void {
    if (this.change === null || PRIORITY[change] > PRIORITY[this.change]) this.change = change;
    this.wake();
  }

  /** Removes and returns the change; waits for one, and returns null where none comes within the time. */
  async take(withinMs: number): Promise<Change | null> {
    if (this.change === null) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const { change } = this;
    // The end of the stream is final.
    if (change !== 'over') this.change = null;
    return change;
  }

  /** Resolves after the time, or as soon as something more urgent than an update is there. Takes nothing away. */
  async pause(ms: number): Promise<void> {
    const until = performance.now() + ms;
    let held: Change | null = null;
    while ((held === null || held === 'updated') && performance.now() < until)
      held = (await this.take(until - performance.now())) ?? held;
    if (held) this.put(held);
  }
}
