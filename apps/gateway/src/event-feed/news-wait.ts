/** Lets one loop wait for a notification, of which it gets one for all that came since its last wait. */
export class NewsWait {
  private isNotified = false;
  private wake: (() => void) | null = null;

  notify(): void {
    this.isNotified = true;
    this.wake?.();
  }

  /** Resolves `pauseMs` after the call at the earliest, and then at the next notification, or after `atLatestMs` without one. */
  async next({ pauseMs, atLatestMs }: { pauseMs: number; atLatestMs: number }): Promise<void> {
    await this.pause(pauseMs);
    if (!this.isNotified) await this.sleepUntilNotified(atLatestMs);
    this.isNotified = false;
  }

  pause(pauseMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
  }

  private sleepUntilNotified(atLatestMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(finish, atLatestMs).unref();
      this.wake = finish;
    });
  }
}
