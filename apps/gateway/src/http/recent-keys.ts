/**
 * A client that pauses longer than this is affected by the address bucket, which guesses from its address may have
 * emptied.
 */
const REMEMBERED_MS = 5 * 60_000;
/** About 2 MB. */
const KEYS_MAX = 10_000;

/** The hashes of keys that were valid within the last five minutes, the most recent ten thousand of them. */
export class RecentKeys {
  /** When each entry expires, least recently used first. */
  private readonly untilMs = new Map<string, number>();

  has(keySha256: string, nowMs = performance.now()): boolean {
    return (this.untilMs.get(keySha256) ?? 0) > nowMs;
  }

  add(keySha256: string, nowMs = performance.now()): void {
    this.untilMs.delete(keySha256);
    this.untilMs.set(keySha256, nowMs + REMEMBERED_MS);
    const [leastRecent] = this.untilMs.keys();
    if (this.untilMs.size > KEYS_MAX && leastRecent !== undefined) this.untilMs.delete(leastRecent);
  }

  delete(keySha256: string): void {
    this.untilMs.delete(keySha256);
  }
}
