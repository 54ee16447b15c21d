export interface WorkLoopOptions {
  /** Does one round of work; `more` asks for the next round at once. */
  work: () => Promise<'more' | 'idle'>;
  /** How long an idle loop sleeps before it looks again by itself. */
  idleMs: number;
  /** Told of a round that failed; the loop then rests as if idle. */
  onFailure: (error: unknown) => void;
}

/** Repeats a piece of work until it is stopped: at once while there is more, when nudged, and every now and then anyway. */
export class WorkLoop {
  private running: Promise<void> | undefined;
  private stopping = false;
  private nudged = false;
  private wake: () => void = () => undefined;

  constructor(private readonly options: WorkLoopOptions) {}

  start(): void {
    this.running ??= this.run();
  }

  /** There may be work now: look without waiting for the next look. */
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
