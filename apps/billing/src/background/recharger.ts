import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { BeginRecharges } from '../use-cases/begin-recharges/begin-recharges.use-case';
import { SettlePayments } from '../use-cases/settle-payments/settle-payments.use-case';

/** The interval at which balances are polled. Thus no reserve has to check for a recharge. */
const POLL_INTERVAL_MS = 500;

/** Begins and settles auto-recharge payments. Several replicas can run it at the same time. */
@Injectable()
export class Recharger implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly begin: WorkLoop;
  private readonly settle: WorkLoop;

  constructor(
    beginRecharges: BeginRecharges,
    settlePayments: SettlePayments,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.settle = this.loop('settle_payments', () => settlePayments.execute());
    this.begin = this.loop('begin_recharges', async () => {
      if ((await beginRecharges.execute()) > 0) this.settle.nudge();
      return 0;
    });
  }

  onApplicationBootstrap(): void {
    this.begin.start();
    this.settle.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.begin.stop(), this.settle.stop()]);
  }

  private loop(name: string, work: () => Promise<number>): WorkLoop {
    return new WorkLoop({
      work: async () => ((await work()) > 0 ? 'more' : 'idle'),
      idleMs: POLL_INTERVAL_MS,
      onFailure: (error) => this.logger.warn({ loop: name, reason: String(error) }, 'recharger_interrupted'),
    });
  }
}
