import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Database, type Queryable } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AccountRepository } from '../account/account.repository';
import { DebtPause } from '../account/debt-pause';
import { disputesOpened } from '../billing.metrics';
import { type ChargedPayment, DisputeRepository } from './dispute.repository';
import type { DisputeReport, ReversalProvider } from './reversal-provider.port';
import { LeaseRecall } from '../rate-limit/leases';

/** Books disputes as the provider reports them. Each step happens once, in whatever order the reports arrive. */
@Injectable()
export class DisputeBooking {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly disputes: DisputeRepository,
    private readonly pause: DebtPause,
    private readonly leaseRecall: LeaseRecall,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @returns false for a dispute of a charge that billing does not know. */
  async apply({ name }: ReversalProvider, report: DisputeReport): Promise<boolean> {
    const charged = await this.disputes.findCharged(name, report.charge);
    if (!charged) return false;
    const { account_id, payment_id } = charged;
    if (report.currency !== 'usd') {
      this.logger.error({ account_id, payment_id, dispute: report.reference }, 'dispute_does_not_fit');
      return false;
    }
    // A charge is more than its credit where Stripe adds tax.
    const disputed = { ...report, amount_micros: Math.min(report.amount_micros, charged.amount_micros) };
    await this.database.transaction((transaction) => this.book(transaction, name, charged, disputed));
    this.leaseRecall.signal(account_id);
    return true;
  }

  private async book(
    transaction: Queryable,
    provider: string,
    charged: ChargedPayment,
    report: DisputeReport,
  ): Promise<void> {
    const { account_id, payment_id } = charged;
    await this.accounts.lock(transaction, account_id);
    const owed = await this.disputes.open(transaction, uuidv7(), provider, charged, report);
    if (owed !== null) {
      disputesOpened.inc();
      this.logger.warn({ account_id, payment_id, dispute: report.reference, owed_micros: owed }, 'dispute_opened');
    }
    if (owed !== null && owed > 0) await this.pause.begin(transaction, account_id);
    if (report.state === 'open') return;
    if (!(await this.disputes.end(transaction, report.reference, report.state))) return;
    this.logger.info({ account_id, payment_id, dispute: report.reference, state: report.state }, 'dispute_ended');
    await this.pause.endIfPaid(transaction, account_id);
  }
}
