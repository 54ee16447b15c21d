import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { LedgerHourRepository } from '../wallet/ledger-hour.repository';

const EVERY_MS = 5 * 60_000;

/** Sums up the ledger entries of each hour that has ended. */
@Injectable()
export class LedgerHours implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;

  constructor(hours: LedgerHourRepository, @InjectLogger() logger: Logger) {
    this.loop = new WorkLoop({
      work: async () => ((await hours.sumUpNext()) ? 'more' : 'idle'),
      idleMs: EVERY_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'ledger_hours_not_summed_up'),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }
}
