import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { ReconcileStandings } from '../use-cases/apply-strikes.use-case';
import { BeginRecharges, SettlePayments } from '../use-cases/recharge-accounts.use-case';
import { LedgerHourRepository } from '../wallet/ledger-hour.repository';

const HOURS_POLL_MS = 5 * 60_000;

/** Sums up the ledger entries of each hour that has ended. */
@Injectable()
export class LedgerHours implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;

  constructor(hours: LedgerHourRepository, @InjectLogger() logger: Logger) {
    this.loop = new WorkLoop({
      work: async () => ((await hours.sumUpNext()) ? 'more' : 'idle'),
      idleMs: HOURS_POLL_MS,
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

const RECONCILE_EVERY_MS = 60_000;
/** A failed round is repeated sooner, for example while moderation is still starting. */
const RECONCILE_RETRY_MS = 5_000;

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
      idleMs: RECONCILE_RETRY_MS,
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
    this.dueAtMs = performance.now() + RECONCILE_EVERY_MS;
    return 'idle';
  }
}

/** The interval at which balances are polled. Thus no reserve has to check for a recharge. */
const BALANCE_POLL_MS = 500;

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
      idleMs: BALANCE_POLL_MS,
      onFailure: (error) => this.logger.warn({ loop: name, reason: String(error) }, 'recharger_interrupted'),
    });
  }
}
