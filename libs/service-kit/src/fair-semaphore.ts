import { Semaphore, type SemaphoreRequest } from './semaphore';

/**
 * A semaphore shared by several holders, such as accounts. One holder has at most half of the permits, or as many as it is given, and
 * its further requests wait in a queue of its own. A thousand requests of one account thus delay that account alone.
 */
export class FairSemaphore {
  private readonly all: Semaphore;
  private readonly byHolder = new Map<string, Semaphore>();

  constructor(
    permits: number,
    private readonly permitsOfHolder = Math.ceil(permits / 2),
  ) {
    this.all = new Semaphore(permits);
  }

  get heldPermits(): number {
    return this.all.heldPermits;
  }

  /**
   * Runs the work while it holds a permit.
   * @param holder Undefined for work of the service itself, which is limited by the total of permits only.
   * @throws SemaphoreTimeout before the work has begun.
   */
  async run<Result>(
    holder: string | undefined,
    work: () => Promise<Result>,
    { deadline = null }: Pick<SemaphoreRequest, 'deadline'> = {},
  ): Promise<Result> {
    if (holder === undefined) return this.all.run(work, { deadline });
    const own = this.byHolder.get(holder) ?? new Semaphore(this.permitsOfHolder);
    this.byHolder.set(holder, own);
    try {
      return await own.run(() => this.all.run(work, { deadline }), { deadline });
    } finally {
      if (own.heldPermits === 0 && own.waitingRequests === 0) this.byHolder.delete(holder);
    }
  }
}
