import { Injectable } from '@nestjs/common';

export interface WorkLoopOptions {
  /** Does one round of work; `more` asks for the next round at once. */
  work: () => Promise<'more' | 'idle'>;
  /** Time that an idle loop sleeps before its next poll. */
  idleMs: number;
  /** Called after a failed round; the loop then pauses as if idle. */
  onFailure: (error: unknown) => void;
}

/** Repeats rounds of work until it is stopped: at once while there is more, when nudged, and at an interval. */
export class WorkLoop {
  private running: Promise<void> | undefined;
  private stopping = false;
  private nudged = false;
  private wake: () => void = () => undefined;

  constructor(private readonly options: WorkLoopOptions) {}

  start(): void {
    this.running ??= this.run();
  }

  /** As `start`, where the caller has just done the first round: the loop begins with its pause. */
  startIdle(): void {
    this.running ??= this.rest().then(() => this.run());
  }

  /** Starts the next poll at once, because there may be new work. */
  nudge(): void {
    this.nudged = true;
    this.wake();
  }

  /** Begins no new round and waits for the one under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.nudged = false;
      if ((await this.round()) === 'idle') await this.rest();
    }
  }

  private async round(): Promise<'more' | 'idle'> {
    try {
      return await this.options.work();
    } catch (error) {
      this.options.onFailure(error);
      return 'idle';
    }
  }

  private async rest(): Promise<void> {
    if (this.nudged || this.stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.idleMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/**
 * Wakes the loops of this process before their next poll, when there is work for them: work that other code of the process has
 * created, or that a signal of another process announces. A loop that is not woken finds the work at its next poll.
 */
@Injectable()
export class WakeUp<Loop extends string> {
  private readonly listeners = new Map<Loop, (() => void)[]>();

  subscribe(loop: Loop, listener: () => void): void {
    this.listeners.set(loop, [...(this.listeners.get(loop) ?? []), listener]);
  }

  notify(loop: Loop): void {
    for (const listener of this.listeners.get(loop) ?? []) listener();
  }
}
