import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WakeUp, WorkLoop } from '@kinora/service-kit';
import { Attempts } from '../attempts/attempts.service';
import { AttemptDeliveries } from '../use-cases/schedule-delivery.use-case';
import { PruneDeliveries } from '../use-cases/delete-content.use-case';
import { SweepFinishedJobs } from '../use-cases/sweep-finished-jobs.use-case';
import { WebhookDispatcherConfig } from '../webhook-dispatcher.config';

/** How often the loop polls for deliveries that became due by the clock or whose lease expired in another process. */
const DUE_POLL_MS = 250;
/** Well under the interval between two sweeps, so that another replica takes over soon after one dies. */
const LEASE_POLL_MS = 2_500;
/** Old deliveries are pruned slowly; the exact moment does not matter. */
const PRUNE_POLL_MS = 60_000;
/** Part of the shutdown time that is reserved for the work after the last attempts. */
const SHUTDOWN_RESERVE_MS = 3_000;

/** The background loops of the service. */
@Injectable()
export class BackgroundWork implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly dueAttempts: WorkLoop;
  private readonly sweep: WorkLoop;
  private readonly pruning: WorkLoop;

  constructor(
    private readonly config: WebhookDispatcherConfig,
    private readonly attempts: Attempts,
    attemptDeliveries: AttemptDeliveries,
    sweepFinishedJobs: SweepFinishedJobs,
    pruneDeliveries: PruneDeliveries,
    wakeUp: WakeUp<'deliver'>,
    @InjectLogger() logger: Logger,
  ) {
    this.dueAttempts = new WorkLoop({
      work: () => attemptDeliveries.execute(),
      idleMs: DUE_POLL_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'delivery_attempts_interrupted'),
    });
    wakeUp.subscribe('deliver', () => this.dueAttempts.nudge());
    this.sweep = new WorkLoop({
      work: async () => {
        await sweepFinishedJobs.execute();
        return 'idle';
      },
      idleMs: LEASE_POLL_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'sweep_interrupted'),
    });
    this.pruning = new WorkLoop({
      work: () => pruneDeliveries.execute(),
      idleMs: PRUNE_POLL_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'forgetting_interrupted'),
    });
  }

  onApplicationBootstrap(): void {
    this.dueAttempts.start();
    this.sweep.start();
    this.pruning.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.dueAttempts, this.sweep, this.pruning].map((loop) => loop.stop()));
    await this.attempts.settle(Math.max(this.config.drainSeconds * 1_000 - SHUTDOWN_RESERVE_MS, 0));
  }
}
