import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { SessionRepository } from '../session/session.repository';

const EVERY_MS = 10 * 60_000;
const PAGE = 1_000;

/** Deletes the rows of expired sessions, page by page. Several replicas can prune at the same time. */
@Injectable()
export class SessionPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;

  constructor(
    private readonly sessions: SessionRepository,
    @InjectLogger() logger: Logger,
  ) {
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
    return this.sessions.prune(PAGE);
  }
}
