/** OpenAI's clients wait a minute at most before they repeat a refused request. */
const REMEMBERED_MS = 60_000;
/** About 2 MB. Only callers with a valid key are counted, so one caller cannot reach it. */
const SENDERS_MAX = 10_000;

interface Refusals {
  count: number;
  lastAtMs: number;
}

/**
 * First sendings that were refused before their bodies were read, as by the rate limit. The marked repeat of such a request is the
 * first sending that arrives, and not the repeat of an equal one that was answered. Which body was refused is unknown, so
 * refusals are counted: as many marked requests count as first sendings as first sendings were refused.
 */
export class RefusedPosts {
  /** By sender: an API key at a route. The least recently refused sender comes first. */
  private readonly refusals = new Map<string, Refusals>();

  add(sender: string, nowMs = performance.now()): void {
    const count = (this.recent(sender, nowMs)?.count ?? 0) + 1;
    // Deleted first, so that the sender moves to the end.
    this.refusals.delete(sender);
    this.refusals.set(sender, { count, lastAtMs: nowMs });
    const [leastRecent] = this.refusals.keys();
    if (this.refusals.size > SENDERS_MAX && leastRecent !== undefined) this.refusals.delete(leastRecent);
  }

  /** Whether a first sending of the same sender was refused that no other request has taken for its own. */
  take(sender: string, nowMs = performance.now()): boolean {
    const refused = this.recent(sender, nowMs);
    if (!refused) return false;
    refused.count -= 1;
    if (refused.count === 0) this.refusals.delete(sender);
    return true;
  }

  private recent(sender: string, nowMs: number): Refusals | null {
    const refused = this.refusals.get(sender);
    return refused && nowMs - refused.lastAtMs < REMEMBERED_MS ? refused : null;
  }
}
