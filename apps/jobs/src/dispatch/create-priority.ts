import { Injectable } from '@nestjs/common';

/** With more creates in progress on average, they wait for the processor, not for a round trip. */
const BUSY_ABOVE = 8;
/** The window of the average: longer than the gap between two batches of creates. */
const MEMORY_MS = 100;
/** The longest delay, short enough for a client that waits for a job. */
const MAX_WAIT_MS = 250;
const POLL_INTERVAL_MS = 25;

/**
 * Gives creates priority over background work on stored jobs. While creates are dense, each round of that work is delayed by up
 * to `MAX_WAIT_MS`, and then handles fewer and larger batches.
 */
@Injectable()
export class CreatePriority {
  private running = 0;
  private average = 0;
  private changedAtMs = performance.now();

  async run<Result>(create: () => Promise<Result>): Promise<Result> {
    this.change(1);
    try {
      return await create();
    } finally {
      this.change(-1);
    }
  }

  /** Whether so many creates are in progress that other work has to wait. */
  get isBusy(): boolean {
    return this.averageNow() > BUSY_ABOVE;
  }

  /** Resolves when few creates are in progress, and after `MAX_WAIT_MS` at the latest. */
  async yieldToCreates(): Promise<void> {
    const untilMs = performance.now() + MAX_WAIT_MS;
    while (this.isBusy && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }

  private change(by: number): void {
    this.average = this.averageNow();
    this.changedAtMs = performance.now();
    this.running += by;
  }

  private averageNow(): number {
    const decay = Math.exp((this.changedAtMs - performance.now()) / MEMORY_MS);
    return this.running + (this.average - this.running) * decay;
  }
}
