import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { PaymentRefundDetails, RefundPaymentRequest } from '@kinora/contracts/billing/reversal.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { formatUsd } from '@kinora/contracts/shared/money';
import { Database, type Queryable } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AccountRepository } from '../account/account.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertGiven, assertInteger, assertOperator, assertUuid } from '../operator/operator-input';
import { DisputeRepository } from '../payments/dispute.repository';
import { PaymentRefundRepository, type PaidPayment, type RefundRow } from '../payments/payment-refund.repository';
import { CENT_MICROS, PaymentProviders } from '../payments/payment-providers';
import { RefundBooking } from '../payments/refund-booking';

const RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 3_600;

/** Asks the provider for each refund until it has an outcome. */
@Injectable()
export class SettleRefunds {
  constructor(
    private readonly refunds: PaymentRefundRepository,
    private readonly providers: PaymentProviders,
    private readonly booking: RefundBooking,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @returns how many refunds were processed. */
  async execute(): Promise<number> {
    const claimed = await this.refunds.claim();
    await Promise.all(claimed.map((refund) => this.advance(refund)));
    return claimed.length;
  }

  async advance(refund: RefundRow): Promise<void> {
    const { id, provider, payment_id, checks } = refund;
    try {
      const outcome = await this.providers.getReversals(provider).refund(refund);
      if (outcome.state === 'succeeded') await this.refunds.succeed(id, outcome.reference);
      else await this.booking.fail(refund, outcome.reason);
    } catch (error) {
      this.logger.warn({ payment_id, refund_id: id, reason: String(error) }, 'refund_outcome_unknown');
      await this.refunds.postpone(id, Math.min(RETRY_SECONDS * 2 ** checks, MAX_RETRY_SECONDS));
    }
  }
}

/**
 * Gives a payment back, up to what is unspent. The money leaves the balance first, with the refund's row; then the provider is asked. A
 * crash in between leaves a row that the loop resumes under the same id.
 */
@Injectable()
export class RefundPayment {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly refunds: PaymentRefundRepository,
    private readonly disputes: DisputeRepository,
    private readonly settle: SettleRefunds,
    private readonly auditTrail: AuditTrail,
  ) {}

  async execute(request: RefundPaymentRequest): Promise<PaymentRefundDetails> {
    assertGiven(request, 'payment_id', 'amount_micros', 'reason');
    assertUuid(request, 'payment_id');
    assertUuid(request, 'refund_id');
    assertInteger(request, 'amount_micros');
    assertOperator(request);
    await this.accounts.assertExists(request.account_id);
    const id = request.refund_id ?? uuidv7();
    if (!(await this.refunds.find(id))) await this.database.transaction((work) => this.begin(work, id, request));
    const begun = await this.get(id, request);
    if (begun.state === 'begun') await this.settle.advance(begun);
    const { payment_id, amount_micros, state } = await this.get(id, request);
    return { refund_id: id, payment_id, amount_micros, state };
  }

  private async begin(transaction: Queryable, id: string, request: RefundPaymentRequest): Promise<void> {
    const { account_id, payment_id, amount_micros, reason } = request;
    await this.accounts.lock(transaction, account_id);
    // Again under the lock: a repeat at the same moment has begun it.
    if (await this.refunds.find(id, transaction)) return;
    const paid = await this.refunds.findPaid(transaction, account_id, payment_id);
    if (!paid) throw new ApiError('not_found', 'The account has no such paid payment.', { param: 'payment_id' });
    await this.assertLeft(transaction, paid, amount_micros);
    await this.auditTrail.record(transaction, 'refund_payment', { ...request, refund_id: id });
    await this.refunds.begin(transaction, id, paid, amount_micros, reason);
  }

  /** @throws ApiError invalid_body */
  private async assertLeft(transaction: Queryable, paid: PaidPayment, amountMicros: number): Promise<void> {
    if (await this.disputes.hasDispute(transaction, paid.payment_id))
      throw new ApiError('invalid_body', 'The payment is disputed: the bank gives it back.', { param: 'payment_id' });
    const left = paid.amount_micros - (await this.refunds.sumOf(transaction, paid.payment_id));
    if (amountMicros <= left && amountMicros % CENT_MICROS === 0) return;
    throw new ApiError('invalid_body', `Refund whole cents, and at most ${formatUsd(left)}.`, {
      param: 'amount_micros',
    });
  }

  /** @throws ApiError invalid_body if the id is that of another refund */
  private async get(id: string, { account_id, payment_id, amount_micros }: RefundPaymentRequest): Promise<RefundRow> {
    const row = await this.refunds.find(id);
    if (row?.account_id === account_id && row.payment_id === payment_id && row.amount_micros === amount_micros)
      return row;
    throw new ApiError('invalid_body', 'refund_id was used for another refund.', { param: 'refund_id' });
  }
}
