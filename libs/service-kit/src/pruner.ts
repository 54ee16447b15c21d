import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Logger } from './logging/logger';
import { WorkLoop } from './work-loop';

/** Deletes rows that are no longer read, page by page, and begins again after a pause. Several replicas can prune at the same time. */
export abstract class Pruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;

  protected constructor(logger: Logger, everyMs: number) {
    this.loop = new WorkLoop({
      work: async () => ((await this.prunePage()) ? 'more' : 'idle'),
      idleMs: everyMs,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'pruning_interrupted'),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  /** @returns whether there may be more. */
  abstract prunePage(): Promise<boolean>;
}
