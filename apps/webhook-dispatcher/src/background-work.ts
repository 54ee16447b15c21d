import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WakeUp, WorkLoop } from '@kinora/service-kit';
import { Attempts } from './attempts/attempts.service';
import { AttemptDeliveries } from './use-cases/attempt-deliveries/attempt-deliveries.use-case';
import { ForgetDeliveries } from './use-cases/forget-deliveries/forget-deliveries.use-case';
import { SweepFinishedJobs } from './use-cases/sweep-finished-jobs/sweep-finished-jobs.use-case';
import { WebhookDispatcherConfig } from './webhook-dispatcher.config';

/** How often the loop polls for deliveries that became due by the clock or whose lease expired in another process. */
const LOOK_FOR_DUE_MS = 250;
/** Well under the interval between two sweeps, so that another replica takes over soon after one dies. */
const LOOK_FOR_TURN_MS = 2_500;
/** Old deliveries are pruned slowly; the exact moment does not matter. */
const LOOK_FOR_OLD_MS = 60_000;
/** Part of the shutdown time that is reserved for the work after the last attempts. */
const FAREWELL_MS = 3_000;

/** The background loops of the service. */
@Injectable()
export class BackgroundWork implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly dueAttempts: WorkLoop;
  private readonly sweep: WorkLoop;
  private readonly forgetting: WorkLoop;

  constructor(
    private readonly config: WebhookDispatcherConfig,
    private readonly attempts: Attempts,
    attemptDeliveries: AttemptDeliveries,
    sweepFinishedJobs: SweepFinishedJobs,
    forgetDeliveries: ForgetDeliveries,
    wakeUp: WakeUp<'deliver'>,
    @InjectLogger() logger: Logger,
  ) {
    this.dueAttempts = new WorkLoop({
      work: () => attemptDeliveries.execute(),
      idleMs: LOOK_FOR_DUE_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'delivery_attempts_interrupted'),
    });
    wakeUp.subscribe('deliver', () => this.dueAttempts.nudge());
    this.sweep = new WorkLoop({
      work: async () => {
        await sweepFinishedJobs.execute();
        return 'idle';
      },
      idleMs: LOOK_FOR_TURN_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'sweep_interrupted'),
    });
    this.forgetting = new WorkLoop({
      work: () => forgetDeliveries.execute(),
      idleMs: LOOK_FOR_OLD_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'forgetting_interrupted'),
    });
  }

  onApplicationBootstrap(): void {
    this.dueAttempts.start();
    this.sweep.start();
    this.forgetting.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.dueAttempts, this.sweep, this.forgetting].map((loop) => loop.stop()));
    await this.attempts.settle(Math.max(this.config.drainSeconds * 1_000 - FAREWELL_MS, 0));
  }
}
