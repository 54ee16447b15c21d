import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { type Logger, WorkLoop } from '@kinora/service-kit';

const EVERY_MS = 10 * 60_000;
const PAGE = 1_000;

/** Deletes expired rows, page by page. Several replicas can prune at the same time. */
export abstract class Pruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;

  constructor(logger: Logger) {
    this.loop = new WorkLoop({
      work: async () => ((await this.prunePage()) === PAGE ? 'more' : 'idle'),
      idleMs: EVERY_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'pruning_interrupted'),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  prunePage(): Promise<number> {
    return this.prune(PAGE);
  }

  /** @returns how many rows are deleted */
  protected abstract prune(limit: number): Promise<number>;
}
