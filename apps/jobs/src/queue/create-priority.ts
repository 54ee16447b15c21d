import { Injectable } from '@nestjs/common';

/** So many accepts under way on average mean that they wait for the machine, and not for a round trip. */
const BUSY_ABOVE = 8;
/** Over so long the average is taken: longer than from one set of accepts to the next, in which none is under way. */
const MEMORY_MS = 100;
/** As long as whoever waits for a job may hardly notice. */
const MAX_WAIT_MS = 250;
const POLL_INTERVAL_MS = 25;

/**
 * Accepts go before the work on jobs that were accepted. While they are so dense that both would fight for the machine, each
 * round of that work waits a moment: it is done in fewer and larger batches then, and is never held up for longer than this.
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

  /** Whether there are so many accepts that other work is to wait for them. */
  get isBusy(): boolean {
    return this.averageNow() > BUSY_ABOVE;
  }

  /** Resolves when accepts are few, and at the latest so long after it was asked. */
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
