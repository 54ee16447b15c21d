/**
 * The longest wait for a poll after the return of an instance. Such a poll is sent within a second; an instance that answers
 * none of them gets work all the same.
 */
const POLLED_WITHIN_MS = 10_000;

/**
 * The instances that may have lost their tasks: they have left a poll without an answer, and have answered none since. They get
 * nothing new, because a job that a crash has interrupted goes before those that had not begun.
 */
export class Outages {
  private readonly atMs = new Map<string, number>();

  /** A poll had no answer. */
  begin(instance: string, nowMs: number): void {
    if (!this.has(instance)) this.atMs.set(instance, nowMs);
  }

  /** The instance answers probes again: the polls follow. */
  isBack(instance: string, nowMs: number): void {
    if (this.has(instance)) this.atMs.set(instance, nowMs);
  }

  /** What has become of its tasks is known. False if there was no outage. */
  end(instance: string): boolean {
    return this.atMs.delete(instance);
  }

  has(instance: string): boolean {
    return this.atMs.has(instance);
  }

  isBlocking(instance: string, nowMs: number): boolean {
    return nowMs - (this.atMs.get(instance) ?? -Infinity) < POLLED_WITHIN_MS;
  }
}
