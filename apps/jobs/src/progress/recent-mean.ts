const WINDOW_MS = 300_000;

/** The mean of the readings of the last five minutes. */
export class RecentMean {
  private readings: { atMs: number; value: number }[] = [];

  add(value: number): void {
    const now = performance.now();
    this.readings = this.readings.filter(({ atMs }) => now - atMs < WINDOW_MS);
    this.readings.push({ atMs: now, value });
  }

  /** 0 without readings. */
  get value(): number {
    const sum = this.readings.reduce((total, { value }) => total + value, 0);
    return sum / Math.max(this.readings.length, 1);
  }
}
