import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { ReconcileStandings } from '../use-cases/reconcile-standings/reconcile-standings.use-case';

const EVERY_MS = 60_000;
/** A round that failed, such as one while moderation is still starting, is repeated sooner. */
const RETRY_MS = 5_000;

/** Reconciles standings at the start and then every minute; in any number of processes, since only news is acted on. */
@Injectable()
export class StandingsReconciler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;
  private dueAtMs = 0;

  constructor(
    private readonly reconcileStandings: ReconcileStandings,
    @InjectLogger() logger: Logger,
  ) {
    this.loop = new WorkLoop({
      work: () => this.work(),
      idleMs: RETRY_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'standings_not_reconciled'),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  private async work(): Promise<'idle'> {
    if (performance.now() < this.dueAtMs) return 'idle';
    await this.reconcileStandings.execute();
    this.dueAtMs = performance.now() + EVERY_MS;
    return 'idle';
  }
}
