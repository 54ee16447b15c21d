import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { ReconcileStandings } from '../use-cases/reconcile-standings/reconcile-standings.use-case';

const EVERY_MS = 60_000;
/** A failed round is repeated sooner, for example while moderation is still starting. */
const RETRY_MS = 5_000;

/**
 * Reconciles standings at the start and then every minute. Several replicas can run it, because only a newer standing has
 * an effect.
 */
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
