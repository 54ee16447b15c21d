/** (decisions: Events of a job) Common proxies close a connection that is silent for 60 s. */
const HEARTBEAT_SECONDS = 15;

/**
 * Calls each member every 15 seconds. One timer serves all members in 15 slots, because thousands of heartbeats at one
 * moment would delay other requests.
 */
export class HeartbeatWheel {
  private readonly slots = Array.from({ length: HEARTBEAT_SECONDS }, () => new Set<() => void>());
  private current = 0;
  private timer: NodeJS.Timeout | null = null;

  /** The first call comes within 15 seconds. Returns the function that removes the member. */
  add(beat: () => void): () => void {
    // The slot that was served last is the one whose next turn is 15 seconds away.
    const slot = this.slots[this.current] as Set<() => void>;
    slot.add(beat);
    this.timer ??= setInterval(() => this.advance(), 1_000).unref();
    return () => slot.delete(beat);
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    for (const slot of this.slots) slot.clear();
  }

  private advance(): void {
    this.current = (this.current + 1) % HEARTBEAT_SECONDS;
    for (const beat of this.slots[this.current] ?? []) beat();
  }
}
