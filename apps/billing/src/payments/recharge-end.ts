import { Injectable } from '@nestjs/common';
import type { Queryable } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AccountRepository } from '../account/account.repository';
import { DebtPause } from '../account/debt-pause';
import { BillingConfig } from '../billing.config';
import { MoneyEmails, rechargeStoppedEmail } from '../user/money-emails';
import type { PaymentOutcome } from './payment-provider.port';
import { type OpenPayment, PaymentRepository } from './payment.repository';

/** The end of an auto-recharge payment, with what follows for the account and its members. */
@Injectable()
export class RechargeEnd {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly payments: PaymentRepository,
    private readonly pause: DebtPause,
    private readonly emails: MoneyEmails,
    private readonly config: BillingConfig,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Idempotent: several processes may report the same outcome. */
  async record(transaction: Queryable, payment: OpenPayment, outcome: PaymentOutcome): Promise<void> {
    await this.accounts.lock(transaction, payment.account_id);
    if (outcome.state === 'succeeded') await this.succeed(transaction, payment);
    else await this.fail(transaction, payment, outcome.reason);
  }

  /** A payment that was begun before a debt may be the one that pays it. */
  private async succeed(transaction: Queryable, payment: OpenPayment): Promise<void> {
    const { id, account_id } = payment;
    if (!(await this.payments.succeed(id, transaction))) return;
    await this.pause.endIfPaid(transaction, account_id);
    await this.emails.queueReceipt(transaction, account_id, payment);
    this.logger.info({ account_id, payment_id: id }, 'payment_succeeded');
  }

  /** Only a stop sends an e-mail, not each charge that is repeated. */
  private async fail(transaction: Queryable, { id, account_id }: OpenPayment, reason: string): Promise<void> {
    const failed = await this.payments.fail(id, reason, this.config.rechargeRetrySeconds, transaction);
    if (!failed) return;
    this.logger.warn({ account_id, payment_id: id, reason }, 'payment_failed');
    if (failed.stopped_reason === null) return;
    this.logger.error({ account_id, reason: failed.stopped_reason }, 'auto_recharge_stopped');
    await this.emails.queue(transaction, account_id, rechargeStoppedEmail(failed.stopped_reason));
  }
}
