/**
 * The signal of one attempt: aborts with the caller's signal, or after a time. `AbortSignal.any` does not exist in Node 20.0, and
 * keeps its sources alive in later ones.
 */
export class AttemptSignal {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly abort = (): void => this.controller.abort(this.outer?.reason);
  isTimedOut = false;

  constructor(
    private readonly timeoutMs: number,
    private readonly outer?: AbortSignal | null,
  ) {
    if (outer?.aborted) this.abort();
    else outer?.addEventListener('abort', this.abort, { once: true });
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isAborted(): boolean {
    return this.outer?.aborted ?? false;
  }

  /** Counts the time from now on. */
  restart(): void {
    clearTimeout(this.timer);
    // A timer of more than 2^31 ms fires at once.
    if (this.timeoutMs >= 2 ** 31) return;
    this.timer = setTimeout(() => {
      this.isTimedOut = true;
      this.controller.abort(new Error(`Nothing arrived for ${this.timeoutMs} ms.`));
    }, this.timeoutMs);
  }

  release(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.abort);
  }
}
