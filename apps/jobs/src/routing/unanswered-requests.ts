/** A server that loads a large model does not answer for a while, so only a longer silence counts where others can do the work. */
const SILENT_AFTER_MS = 5_000;

/** Since when each instance has answered none of the polls that were sent to it. */
export class UnansweredRequests {
  private readonly sinceMs = new Map<string, number>();

  sent(instance: string, nowMs: number): void {
    if (!this.sinceMs.has(instance)) this.sinceMs.set(instance, nowMs);
  }

  answered(instance: string): void {
    this.sinceMs.delete(instance);
  }

  isSilent(instance: string, nowMs: number): boolean {
    const sinceMs = this.sinceMs.get(instance);
    return sinceMs !== undefined && nowMs - sinceMs >= SILENT_AFTER_MS;
  }
}
