import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Database } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { type PaymentOutcome, type PaymentProvider, PaymentRefused } from '../payments/payment-provider.port';
import { PaymentProviders } from '../payments/payment-providers';
import { AutoRechargeRepository, type OpenPayment, PaymentRepository } from '../payments/payment.repository';
import { RechargeEnd } from '../payments/recharge-end';

/**
 * Inserts a payment for each account whose balance is below its threshold, at most one open payment per account. It
 * charges nothing yet.
 */
@Injectable()
export class BeginRecharges {
  constructor(
    private readonly database: Database,
    private readonly providers: PaymentProviders,
    private readonly recharges: AutoRechargeRepository,
    private readonly payments: PaymentRepository,
  ) {}

  /** @returns how many payments were begun. */
  async execute(): Promise<number> {
    const provider = this.providers.current;
    if (!provider) return 0;
    let begun = 0;
    for (const accountId of await this.recharges.listDue()) if (await this.begin(accountId, provider.name)) begun += 1;
    return begun;
  }

  /**
   * The condition is evaluated again under the lock: another process may have recharged the account since it was listed.
   */
  private begin(accountId: string, provider: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      await this.recharges.lock(transaction, accountId);
      return this.payments.begin(transaction, uuidv7(), provider, accountId);
    });
  }
}

/** Delay of the first poll: most responses are only late. The delay doubles with each poll. */
const RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 3_600;

/**
 * Settles each open payment. If a charge was sent and its response was lost, the outcome is polled. It is charged again
 * only if the provider confirms that it received no charge request.
 */
@Injectable()
export class SettlePayments {
  constructor(
    private readonly database: Database,
    private readonly providers: PaymentProviders,
    private readonly payments: PaymentRepository,
    private readonly rechargeEnd: RechargeEnd,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @returns how many payments were processed. */
  async execute(): Promise<number> {
    const claimed = await this.payments.claim();
    await Promise.all(claimed.map((payment) => this.advance(payment)));
    return claimed.length;
  }

  private async advance(payment: OpenPayment): Promise<void> {
    try {
      const provider = this.providers.get(payment.provider);
      const state = await this.providers.findState(payment);
      if (state.state === 'succeeded' || state.state === 'failed') return await this.end(payment, state);
      if (state.state === 'unpaid') await this.charge(provider, payment);
      else await this.retryLater(payment);
    } catch (error) {
      if (error instanceof PaymentRefused) return await this.end(payment, { state: 'failed', reason: error.reason });
      this.logger.warn({ payment_id: payment.id, reason: String(error) }, 'payment_outcome_unknown');
      await this.retryLater(payment);
    }
  }

  private async charge(provider: PaymentProvider, payment: OpenPayment): Promise<void> {
    const reference = payment.reference ?? (await provider.open(payment));
    if (!(await this.payments.markSent(payment.id, reference))) return;
    await provider.charge(payment, reference, (outcome) => this.end(payment, outcome));
  }

  private end(payment: OpenPayment, outcome: PaymentOutcome): Promise<void> {
    return this.database.transaction((transaction) => this.rechargeEnd.record(transaction, payment, outcome));
  }

  private async retryLater({ id, checks }: OpenPayment): Promise<void> {
    await this.payments.postpone(id, Math.min(RETRY_SECONDS * 2 ** (checks - 1), MAX_RETRY_SECONDS));
  }
}
