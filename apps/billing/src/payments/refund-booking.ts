import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Database, type Queryable } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AccountRepository } from '../account/account.repository';
import { DebtPause } from '../account/debt-pause';
import { LeaseRecall } from '../rate-limit/leases';
import { DisputeRepository } from './dispute.repository';
import { type PaidPayment, PaymentRefundRepository, type RefundRow } from './payment-refund.repository';
import type { RefundReport } from './reversal-provider.port';

/** Books refunds as the provider reports them, with what follows for the account. */
@Injectable()
export class RefundBooking {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly refunds: PaymentRefundRepository,
    private readonly disputes: DisputeRepository,
    private readonly pause: DebtPause,
    private readonly leaseRecall: LeaseRecall,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Follows a refund of the provider's own pages, and returns one that has failed.
   * @returns false for one that billing sends itself, or of a charge that it does not know
   */
  async apply(provider: string, report: RefundReport): Promise<boolean> {
    const { reference, refunded } = report;
    const known = await this.refunds.findByReference(provider, reference);
    if (known) {
      if (report.state === 'failed') await this.fail(known, report.reason);
      return true;
    }
    if (report.state === 'failed' || refunded === null) return false;
    const charged = await this.disputes.findCharged(provider, refunded.charge);
    if (!charged) return false;
    await this.follow({ ...charged, provider, charge: refunded.charge }, reference, refunded.amount_micros);
    return true;
  }

  /** Takes a refund that was made in the provider's own pages from the balance, once. The money has left already. */
  private async follow(paid: PaidPayment, reference: string, refundedMicros: number): Promise<void> {
    const { account_id, payment_id, provider } = paid;
    const taken = await this.database.transaction(async (transaction) => {
      await this.accounts.lock(transaction, account_id);
      if (await this.refunds.findByReference(provider, reference, transaction)) return 0;
      // A charge is more than its credit where Stripe adds tax.
      const amount_micros = Math.min(refundedMicros, await this.countLeft(transaction, paid));
      if (amount_micros <= 0) return 0;
      const owed = await this.refunds.follow(transaction, uuidv7(), { ...paid, amount_micros }, reference);
      if (owed > 0) await this.pause.begin(transaction, account_id);
      return amount_micros;
    });
    if (taken === 0) return;
    this.leaseRecall.signal(account_id);
    this.logger.warn({ account_id, payment_id, refund: reference, amount_micros: taken }, 'refund_followed');
  }

  /** Returns a refund that has failed to the balance, once. */
  async fail({ id, account_id, payment_id }: RefundRow, reason: string): Promise<void> {
    const hasFailed = await this.database.transaction(async (transaction) => {
      await this.accounts.lock(transaction, account_id);
      if (!(await this.refunds.fail(transaction, id, reason))) return false;
      await this.pause.endIfPaid(transaction, account_id);
      return true;
    });
    if (!hasFailed) return;
    this.leaseRecall.signal(account_id);
    this.logger.error({ payment_id, refund_id: id, reason }, 'refund_failed');
  }

  /** Nothing is left of a payment that a dispute has taken. */
  private async countLeft(transaction: Queryable, { payment_id, amount_micros }: PaidPayment): Promise<number> {
    if (await this.disputes.hasDispute(transaction, payment_id)) return 0;
    return amount_micros - (await this.refunds.sumOf(transaction, payment_id));
  }
}
