/** As long as a lease, so that the count is what the next lease needs. */
const WINDOW_MS = 1_000;
/** About 2 MB. */
const KEYS_MAX = 10_000;

interface Windows {
  beganAtMs: number;
  current: number;
  previous: number;
}

/** Counts the requests of each key in the last second (sliding window counter), for the most recently new ten thousand keys. */
export class RecentRequests {
  private readonly byKey = new Map<string, Windows>();

  count(key: string, nowMs: number): void {
    this.windowsOf(key, nowMs).current += 1;
  }

  /** About how many requests of the key the last second had. */
  expected(key: string, nowMs: number): number {
    const { beganAtMs, current, previous } = this.windowsOf(key, nowMs);
    return Math.ceil(current + previous * (1 - (nowMs - beganAtMs) / WINDOW_MS));
  }

  private windowsOf(key: string, nowMs: number): Windows {
    const windows = this.byKey.get(key);
    if (!windows) return this.begin(key, nowMs);
    const ageMs = nowMs - windows.beganAtMs;
    if (ageMs < WINDOW_MS) return windows;
    windows.previous = ageMs < 2 * WINDOW_MS ? windows.current : 0;
    windows.current = 0;
    windows.beganAtMs = ageMs < 2 * WINDOW_MS ? windows.beganAtMs + WINDOW_MS : nowMs;
    return windows;
  }

  private begin(key: string, nowMs: number): Windows {
    const windows = { beganAtMs: nowMs, current: 0, previous: 0 };
    this.byKey.set(key, windows);
    const [oldest] = this.byKey.keys();
    if (this.byKey.size > KEYS_MAX && oldest !== undefined) this.byKey.delete(oldest);
    return windows;
  }
}
