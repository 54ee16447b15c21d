import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, type Queryable } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { DebtPause } from '../account/debt-pause';
import { type ChargedPayment, DisputeRepository } from '../payments/dispute.repository';
import { PaymentRefundRepository } from '../payments/payment-refund.repository';
import { PaymentProviders } from '../payments/payment-providers';
import { LeaseRecall } from '../rate-limit/leases';

interface ForeignRefund {
  provider: string;
  reference: string;
  amount_micros: number;
}

/** Takes a refund that was made in the provider's own pages from the balance, as one that billing has begun. */
@Injectable()
export class FollowRefund {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly refunds: PaymentRefundRepository,
    private readonly disputes: DisputeRepository,
    private readonly providers: PaymentProviders,
    private readonly pause: DebtPause,
    private readonly leaseRecall: LeaseRecall,
  ) {}

  /** @returns false for one that billing has begun itself, or of a charge that it does not know. */
  async receive(provider: string, reference: string): Promise<boolean> {
    const found = await this.providers.getReversals(provider).findRefund(reference);
    if (found.state === 'failed' || found.refunded === null) return false;
    const charged = await this.disputes.findCharged(provider, found.refunded.charge);
    if (!charged) return false;
    const refund = { provider, reference, amount_micros: found.refunded.amount_micros };
    await this.take(charged, refund);
    this.leaseRecall.signal(charged.account_id);
    return true;
  }

  /** What the balance does not cover is owed, as for a lost dispute: the money has left already. */
  private async take(charged: ChargedPayment, refund: ForeignRefund): Promise<void> {
    try {
      await this.database.transaction((transaction) => this.takeCovered(transaction, charged, refund));
    } catch (error) {
      // Only where the balance does not cover it: after a lost connection, the sum may be taken already.
      if (!(error instanceof ApiError) || error.code !== 'invalid_body') throw error;
      await this.database.transaction((transaction) => this.takeOwing(transaction, charged, refund));
    }
  }

  private async takeCovered(transaction: Queryable, charged: ChargedPayment, refund: ForeignRefund): Promise<void> {
    const { provider, reference } = refund;
    const amount = await this.lockAndCount(transaction, charged, refund);
    if (amount === 0) return;
    const paid = await this.refunds.findPaid(transaction, charged.account_id, charged.payment_id);
    if (!paid) throw new Error(`payment ${charged.payment_id} was refunded at ${provider} before it was paid`);
    const id = uuidv7();
    await this.refunds.begin(transaction, id, paid, amount, `refunded at ${provider}`);
    await this.refunds.succeed(id, reference, transaction);
  }

  private async takeOwing(transaction: Queryable, charged: ChargedPayment, refund: ForeignRefund): Promise<void> {
    const { provider, reference } = refund;
    const amount_micros = await this.lockAndCount(transaction, charged, refund);
    if (amount_micros === 0) return;
    const report = { reference, charge: '', amount_micros, currency: 'usd', state: 'lost' } as const;
    const owed = await this.disputes.open(transaction, uuidv7(), provider, charged, report);
    if (owed !== null && owed > 0) await this.pause.begin(transaction, charged.account_id);
    await this.disputes.end(transaction, reference, 'lost');
  }

  /** 0 for one that was taken before, or of a payment that went back another way. */
  private async lockAndCount(
    transaction: Queryable,
    { account_id, payment_id, amount_micros }: ChargedPayment,
    refund: ForeignRefund,
  ): Promise<number> {
    await this.accounts.lock(transaction, account_id);
    const isKnown = await this.refunds.findByReference(refund.provider, refund.reference, transaction);
    if (isKnown || (await this.disputes.hasDispute(transaction, payment_id))) return 0;
    const left = amount_micros - (await this.refunds.sumOf(transaction, payment_id));
    // A charge is more than its credit where Stripe adds tax.
    return Math.max(0, Math.min(refund.amount_micros, left));
  }
}
