const GENERATION_MS = 10_000;
/** A burst of ends costs at most 10 MB; the safety read then finds what was forgotten. */
const MAX_IDS_A_GENERATION = 50_000;

/** Ids of the last 10 to 20 seconds: longer than any read that began before the id arrived. */
export class RecentIds {
  private current = new Set<string>();
  private previous = new Set<string>();
  private begunAtMs = performance.now();

  add(id: string): void {
    const now = performance.now();
    if (now - this.begunAtMs > GENERATION_MS || this.current.size >= MAX_IDS_A_GENERATION) {
      this.previous = this.current;
      this.current = new Set();
      this.begunAtMs = now;
    }
    this.current.add(id);
  }

  has(id: string): boolean {
    return this.current.has(id) || this.previous.has(id);
  }
}
