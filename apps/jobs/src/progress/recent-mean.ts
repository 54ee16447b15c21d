const WINDOW_MS = 60_000;

/** The mean of the readings of the last minute. One reading is noise where the load has just begun to rise. */
export class RecentMean {
  private readings: { atMs: number; value: number }[] = [];

  /** Readings of an idle model say nothing about how many jobs run at once. */
  add(value: number): void {
    const now = performance.now();
    this.readings = this.readings.filter(({ atMs }) => now - atMs < WINDOW_MS);
    if (value > 0) this.readings.push({ atMs: now, value });
  }

  /** 0 without readings. */
  get value(): number {
    const sum = this.readings.reduce((total, { value }) => total + value, 0);
    return sum / Math.max(this.readings.length, 1);
  }
}
