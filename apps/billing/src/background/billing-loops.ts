import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { ReconcileStandings } from '../use-cases/apply-strikes.use-case';
import { BeginRecharges, SettlePayments } from '../use-cases/recharge-accounts.use-case';
import { BalanceAlerts } from '../use-cases/balance-alerts.use-case';
import { SettleRefunds } from '../use-cases/refund-payment.use-case';
import { PaymentProviders } from '../payments/payment-providers';
import { SweepCheckouts } from '../use-cases/settle-checkouts.use-case';
import { SweepReversals } from '../use-cases/sweep-reversals.use-case';
import { WarnOfExpiringCards } from '../use-cases/warn-of-expiring-cards.use-case';
import { CloseLedgerMonth } from '../use-cases/close-ledger-month.use-case';
import { LedgerHourRepository } from '../wallet/ledger-hour.repository';

const HOURS_POLL_MS = 5 * 60_000;
const RECONCILE_EVERY_MS = 60_000;
/** A failed round is repeated sooner, for example while moderation is still starting. */
const RECONCILE_RETRY_MS = 5_000;
/** The interval at which balances are polled. Thus no reserve has to check for a recharge. */
const BALANCE_POLL_MS = 500;

abstract class BackgroundLoops implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loops: WorkLoop[] = [];

  constructor(private readonly logger: Logger) {}

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** @param work whether more of it is due at once. @param failure the event of a failed round in the log */
  protected add(failure: string, idleMs: number, work: () => Promise<boolean>): WorkLoop {
    const loop = new WorkLoop({
      work: async () => ((await work()) ? 'more' : 'idle'),
      idleMs,
      onFailure: (error) => this.logger.warn({ reason: String(error) }, failure),
    });
    this.loops.push(loop);
    return loop;
  }
}

/** Sums up the ledger entries of each hour that has ended, and closes the months. */
@Injectable()
export class LedgerSums extends BackgroundLoops {
  constructor(hours: LedgerHourRepository, closeMonth: CloseLedgerMonth, @InjectLogger() logger: Logger) {
    super(logger);
    this.add('ledger_hours_not_summed_up', HOURS_POLL_MS, () => hours.sumUpNext());
    this.add('ledger_month_not_closed', HOURS_POLL_MS, () => closeMonth.execute());
  }
}

/**
 * Reconciles standings at the start and then every minute. Several replicas can run it, because only a newer standing has
 * an effect.
 */
@Injectable()
export class StandingsReconciler extends BackgroundLoops {
  constructor(reconcileStandings: ReconcileStandings, @InjectLogger() logger: Logger) {
    super(logger);
    let dueAtMs = 0;
    this.add('standings_not_reconciled', RECONCILE_RETRY_MS, async () => {
      if (performance.now() < dueAtMs) return false;
      await reconcileStandings.execute();
      dueAtMs = performance.now() + RECONCILE_EVERY_MS;
      return false;
    });
  }
}

/** Begins and settles auto-recharge payments. Several replicas can run it at the same time. */
@Injectable()
export class Recharger extends BackgroundLoops {
  constructor(beginRecharges: BeginRecharges, settlePayments: SettlePayments, @InjectLogger() logger: Logger) {
    super(logger);
    const settle = this.add('payments_not_settled', BALANCE_POLL_MS, async () => (await settlePayments.execute()) > 0);
    this.add('recharges_not_begun', BALANCE_POLL_MS, async () => {
      if ((await beginRecharges.execute()) > 0) settle.nudge();
      return false;
    });
  }
}

const CHECKOUTS_POLL_MS = 5_000;
const CARDS_POLL_MS = 60_000;

/** Looks up open checkouts and saved cards. Several replicas can run it at the same time. */
@Injectable()
export class Checkouts extends BackgroundLoops {
  constructor(sweepCheckouts: SweepCheckouts, warnOfCards: WarnOfExpiringCards, @InjectLogger() logger: Logger) {
    super(logger);
    this.add('checkouts_not_swept', CHECKOUTS_POLL_MS, async () => (await sweepCheckouts.execute()) > 0);
    this.add('cards_not_checked', CARDS_POLL_MS, async () => (await warnOfCards.execute()) > 0);
  }
}

const REFUNDS_POLL_MS = 2_000;
/** A rehearsal does not wait for its dispute. */
const SWEEP_MS = { stripe: 10 * 60_000, sandbox: 2_000 } as const;

/** Sends refunds that a crash has left, and looks for those of the provider's own pages and for disputes. Several replicas can run it at the same time. */
@Injectable()
export class Reversals extends BackgroundLoops {
  constructor(
    settleRefunds: SettleRefunds,
    sweepReversals: SweepReversals,
    { currentReversals }: PaymentProviders,
    @InjectLogger() logger: Logger,
  ) {
    super(logger);
    this.add('refunds_not_settled', REFUNDS_POLL_MS, async () => (await settleRefunds.execute()) > 0);
    if (!currentReversals) return;
    this.add('reversals_not_swept', SWEEP_MS[currentReversals.name], () => sweepReversals.execute().then(() => false));
  }
}

const ALERTS_POLL_MS = 10_000;

/** Notes the balances that have fallen below what their customers want to be warned of, once a crossing. */
@Injectable()
export class AlertWatch extends BackgroundLoops {
  constructor(alerts: BalanceAlerts, @InjectLogger() logger: Logger) {
    super(logger);
    this.add('balance_alerts_not_checked', ALERTS_POLL_MS, () => alerts.noteCrossings().then(() => false));
  }
}
