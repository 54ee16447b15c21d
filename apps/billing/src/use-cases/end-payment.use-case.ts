import { Injectable } from '@nestjs/common';
import type { EndPaymentRequest, PaymentDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AccountRepository } from '../account/account.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertGiven, assertOperator, assertUuid } from '../operator/operator-input';
import type { PaymentState } from '../payments/payment-provider.port';
import { PaymentProviders } from '../payments/payment-providers';
import { type OpenPayment, PaymentRepository } from '../payments/payment.repository';
import { RechargeEnd } from '../payments/recharge-end';

/** The failure that the account sees; the operator's reason is in the audit trail. */
const ENDED_BY_OPERATOR = 'ended_by_operator';

/**
 * Ends a payment whose look-up fails for good, so that it bars no later recharge. The provider is asked once more: an outcome
 * that it knows counts, and a charge that it calls under way is left alone. Money that it has taken nevertheless is a top-up
 * with the payment's reference.
 */
@Injectable()
export class EndPayment {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly payments: PaymentRepository,
    private readonly providers: PaymentProviders,
    private readonly auditTrail: AuditTrail,
    private readonly rechargeEnd: RechargeEnd,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(request: EndPaymentRequest): Promise<PaymentDetails> {
    assertGiven(request, 'payment_id', 'reason');
    assertUuid(request, 'payment_id');
    assertOperator(request);
    await this.accounts.assertExists(request.account_id);
    const payment = await this.payments.claimOne(request.account_id, request.payment_id);
    if (payment) await this.end(payment, request);
    const shown = await this.payments.find(request.account_id, request.payment_id);
    if (!shown) throw new ApiError('not_found', 'The account has no such payment.', { param: 'payment_id' });
    if (shown.ended_at === null) throw refused('is being looked up now. Try again in a minute');
    return shown;
  }

  private async end(payment: OpenPayment, request: EndPaymentRequest): Promise<void> {
    const state = await this.askOnceMore(payment);
    if (state?.state === 'under_way') throw refused(`is under way at ${payment.provider}, which will tell its outcome`);
    const hasEnded = state?.state === 'succeeded' || state?.state === 'failed';
    await this.database.transaction(async (transaction) => {
      await this.accounts.lock(transaction, payment.account_id);
      await this.auditTrail.record(transaction, 'end_payment', request);
      const outcome = hasEnded ? state : ({ state: 'failed', reason: ENDED_BY_OPERATOR } as const);
      await this.rechargeEnd.record(transaction, payment, outcome);
    });
  }

  /** Null if the provider tells nothing. */
  private async askOnceMore(payment: OpenPayment): Promise<PaymentState | null> {
    try {
      return await this.providers.findState(payment);
    } catch (error) {
      this.logger.warn({ payment_id: payment.id, reason: String(error) }, 'payment_outcome_unknown');
      return null;
    }
  }
}

function refused(problem: string): ApiError {
  return new ApiError('invalid_body', `The payment ${problem}.`, { param: 'payment_id' });
}
