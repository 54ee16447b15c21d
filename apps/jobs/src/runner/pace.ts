/** Keeps rounds apart: each begins at least so long after the one before began. */
export class Pace {
  private lastAtMs = -Infinity;

  constructor(private readonly intervalMs: number) {}

  async next(): Promise<void> {
    const waitMs = this.lastAtMs + this.intervalMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    this.lastAtMs = performance.now();
  }
}
