import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { ReconcileStandings } from '../use-cases/apply-strikes.use-case';
import { BeginRecharges, SettlePayments } from '../use-cases/recharge-accounts.use-case';
import { BalanceAlerts } from '../use-cases/balance-alerts.use-case';
import { SweepDisputes } from '../use-cases/apply-disputes.use-case';
import { SettleRefunds } from '../use-cases/refund-payment.use-case';
import { PaymentProviders } from '../payments/payment-providers';
import { SweepCheckouts } from '../use-cases/settle-checkouts.use-case';
import { LedgerHourRepository } from '../wallet/ledger-hour.repository';

const HOURS_POLL_MS = 5 * 60_000;
const RECONCILE_EVERY_MS = 60_000;
/** A failed round is repeated sooner, for example while moderation is still starting. */
const RECONCILE_RETRY_MS = 5_000;
/** The interval at which balances are polled. Thus no reserve has to check for a recharge. */
const BALANCE_POLL_MS = 500;

abstract class BackgroundLoops implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly loops: WorkLoop[] = [];

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}

/** Sums up the ledger entries of each hour that has ended. */
@Injectable()
export class LedgerHours extends BackgroundLoops {
  constructor(hours: LedgerHourRepository, @InjectLogger() logger: Logger) {
    super();
    const loop = new WorkLoop({
      work: async () => ((await hours.sumUpNext()) ? 'more' : 'idle'),
      idleMs: HOURS_POLL_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'ledger_hours_not_summed_up'),
    });
    this.loops.push(loop);
  }
}

/**
 * Reconciles standings at the start and then every minute. Several replicas can run it, because only a newer standing has
 * an effect.
 */
@Injectable()
export class StandingsReconciler extends BackgroundLoops {
  private dueAtMs = 0;

  constructor(
    private readonly reconcileStandings: ReconcileStandings,
    @InjectLogger() logger: Logger,
  ) {
    super();
    const loop = new WorkLoop({
      work: () => this.work(),
      idleMs: RECONCILE_RETRY_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'standings_not_reconciled'),
    });
    this.loops.push(loop);
  }

  private async work(): Promise<'idle'> {
    if (performance.now() < this.dueAtMs) return 'idle';
    await this.reconcileStandings.execute();
    this.dueAtMs = performance.now() + RECONCILE_EVERY_MS;
    return 'idle';
  }
}

/** Begins and settles auto-recharge payments. Several replicas can run it at the same time. */
@Injectable()
export class Recharger extends BackgroundLoops {
  constructor(
    beginRecharges: BeginRecharges,
    settlePayments: SettlePayments,
    @InjectLogger() private readonly logger: Logger,
  ) {
    super();
    const settle = this.loop('settle_payments', () => settlePayments.execute());
    const begin = this.loop('begin_recharges', async () => {
      if ((await beginRecharges.execute()) > 0) settle.nudge();
      return 0;
    });
    this.loops.push(begin, settle);
  }

  private loop(name: string, work: () => Promise<number>): WorkLoop {
    return new WorkLoop({
      work: async () => ((await work()) > 0 ? 'more' : 'idle'),
      idleMs: BALANCE_POLL_MS,
      onFailure: (error) => this.logger.warn({ loop: name, reason: String(error) }, 'recharger_interrupted'),
    });
  }
}

const CHECKOUTS_POLL_MS = 5_000;

/** Looks up open checkouts. Several replicas can run it at the same time. */
@Injectable()
export class Checkouts extends BackgroundLoops {
  constructor(sweepCheckouts: SweepCheckouts, @InjectLogger() logger: Logger) {
    super();
    const loop = new WorkLoop({
      work: async () => ((await sweepCheckouts.execute()) > 0 ? 'more' : 'idle'),
      idleMs: CHECKOUTS_POLL_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'checkouts_not_swept'),
    });
    this.loops.push(loop);
  }
}

const REFUNDS_POLL_MS = 2_000;
/** A rehearsal does not wait for its dispute. */
const DISPUTES_POLL_MS = { stripe: 10 * 60_000, sandbox: 2_000 } as const;

/** Sends refunds that a crash has left, and looks for disputes. Several replicas can run it at the same time. */
@Injectable()
export class Reversals extends BackgroundLoops {
  constructor(
    settleRefunds: SettleRefunds,
    sweepDisputes: SweepDisputes,
    { currentReversals }: PaymentProviders,
    @InjectLogger() private readonly logger: Logger,
  ) {
    super();
    this.loops.push(this.loop('refunds', REFUNDS_POLL_MS, () => settleRefunds.execute()));
    if (!currentReversals) return;
    const pollMs = DISPUTES_POLL_MS[currentReversals.name];
    this.loops.push(this.loop('disputes', pollMs, () => sweepDisputes.execute().then(() => 0)));
  }

  private loop(name: string, idleMs: number, work: () => Promise<number>): WorkLoop {
    return new WorkLoop({
      work: async () => ((await work()) > 0 ? 'more' : 'idle'),
      idleMs,
      onFailure: (error) => this.logger.warn({ loop: name, reason: String(error) }, 'reversals_interrupted'),
    });
  }
}

const ALERTS_POLL_MS = 10_000;

/** Notes the balances that have fallen below what their customers want to be warned of, once a crossing. */
@Injectable()
export class AlertWatch extends BackgroundLoops {
  constructor(alerts: BalanceAlerts, @InjectLogger() logger: Logger) {
    super();
    const loop = new WorkLoop({
      work: () => alerts.noteCrossings().then(() => 'idle' as const),
      idleMs: ALERTS_POLL_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'balance_alerts_not_checked'),
    });
    this.loops.push(loop);
  }
}
