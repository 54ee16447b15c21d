import { Injectable } from '@nestjs/common';
import type { Card } from '@kinora/contracts/billing/cards.rpc';
import { Database } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { CheckoutProvider } from '../payments/checkout-provider.port';
import { type CheckedCustomer, PaymentCustomerRepository } from '../payments/payment-customer.repository';
import { PaymentProviders } from '../payments/payment-providers';
import { cardExpiresEmail, MoneyEmails } from '../user/money-emails';

/** The longest month, and longer than several checks, so that a failed one delays the warning only. */
const WARNED_BEFORE_MS = 31 * 24 * 60 * 60_000;

/** Warns members of a saved card that expires within 31 days, once a card. */
@Injectable()
export class WarnOfExpiringCards {
  constructor(
    private readonly database: Database,
    private readonly customers: PaymentCustomerRepository,
    private readonly providers: PaymentProviders,
    private readonly emails: MoneyEmails,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @returns how many customers were checked. */
  async execute(): Promise<number> {
    const provider = this.providers.currentCheckouts;
    if (!provider) return 0;
    const due = await this.customers.claimCardChecks(provider.name);
    for (const customer of due)
      await this.check(provider, customer).catch((error: unknown) =>
        this.logger.warn({ account_id: customer.account_id, reason: String(error) }, 'cards_not_checked'),
      );
    return due.length;
  }

  private async check(provider: CheckoutProvider, { account_id, customer, warned_cards }: CheckedCustomer) {
    const expiring = (await provider.listCards(customer)).filter((card) => expiresSoon(card, Date.now()));
    await this.database.transaction(async (transaction) => {
      const ids = expiring.map(({ card_id }) => card_id);
      await this.customers.setWarnedCards(transaction, account_id, provider.name, ids);
      for (const card of expiring)
        if (!warned_cards.includes(card.card_id))
          await this.emails.queue(transaction, account_id, cardExpiresEmail(card));
    });
  }
}

/** A card works until the end of its month. */
export function expiresSoon({ exp_month, exp_year }: Pick<Card, 'exp_month' | 'exp_year'>, nowMs: number): boolean {
  const leftMs = Date.UTC(exp_year, exp_month, 1) - nowMs;
  return leftMs > 0 && leftMs <= WARNED_BEFORE_MS;
}
