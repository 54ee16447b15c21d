/** Options of a request: number of permits and time limit. */
export interface SemaphoreRequest {
  /** 1 by default. A request for more permits than the semaphore has is granted once no other permit is held. */
  permits?: number;
  /** Ends the wait. Null or absent: no limit. */
  deadline?: AbortSignal | null;
}

/** The permits were not granted in time, and the work was not begun. */
export class SemaphoreTimeout extends Error {
  override readonly name = 'SemaphoreTimeout';

  constructor() {
    super('The permits were not granted in time.');
  }
}

interface Waiter {
  permits: number;
  grant: () => void;
}

/**
 * A counting semaphore. Permits are granted in the order of arrival, so small requests cannot starve a large one.
 *
 * Not p-limit, nor the bulkhead of cockatiel: both count calls and not the bytes of each, and neither limits the wait. The
 * semaphore of async-mutex 0.5 has weights, but never grants more than it has. It keeps a timed-out request in its queue, and
 * each release loops over all free permits, which are bytes here.
 */
export class Semaphore {
  private held = 0;
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly permits: number) {}

  get heldPermits(): number {
    return this.held;
  }

  get waitingRequests(): number {
    return this.waiters.size;
  }

  /** Runs the work while its permits are held. @throws SemaphoreTimeout before the work has begun. */
  async run<Result>(
    work: () => Promise<Result>,
    { permits = 1, deadline = null }: SemaphoreRequest = {},
  ): Promise<Result> {
    if (this.waiters.size === 0 && this.fits(permits)) this.held += permits;
    else await this.wait(permits, deadline);
    try {
      return await work();
    } finally {
      this.held -= permits;
      this.grantNext();
    }
  }

  private wait(permits: number, deadline: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiters.delete(waiter);
        reject(new SemaphoreTimeout());
        // This request may have been at the head of the queue and too large, while smaller ones behind it fit.
        this.grantNext();
      };
      const grant = (): void => {
        deadline?.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiter: Waiter = { permits, grant };
      this.waiters.add(waiter);
      if (deadline?.aborted) giveUp();
      else deadline?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Permits are taken here and not when the waiter runs. Otherwise a new request could take them in between. */
  private grantNext(): void {
    for (const waiter of this.waiters) {
      if (!this.fits(waiter.permits)) return;
      this.waiters.delete(waiter);
      this.held += waiter.permits;
      waiter.grant();
    }
  }

  private fits(permits: number): boolean {
    return this.held === 0 || this.held + permits <= this.permits;
  }
}
