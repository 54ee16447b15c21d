import { Injectable } from '@nestjs/common';
import type { Card } from '@kinora/contracts/billing/cards.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { AuditTrail } from '../operator/audit-trail.repository';
import { PaymentCustomerRepository } from '../payments/payment-customer.repository';
import { PaymentProviders } from '../payments/payment-providers';
import { AutoRechargeRepository } from '../payments/payment.repository';

/** Lists and removes the saved cards of an account. The provider keeps them; an account reaches those of its own customer only. */
@Injectable()
export class ManageCards {
  constructor(
    private readonly database: Database,
    private readonly customers: PaymentCustomerRepository,
    private readonly providers: PaymentProviders,
    private readonly recharges: AutoRechargeRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  async list(accountId: string): Promise<Card[]> {
    const customer = await this.findCustomer(accountId);
    return customer === null ? [] : ((await this.providers.currentCheckouts?.listCards(customer)) ?? []);
  }

  /** Stops auto-recharge by the card first, so that no charge of a removed card follows. */
  async remove(request: { account_id: string; card_id: string; actor: string }): Promise<void> {
    const { account_id, card_id } = request;
    await this.findMethod(account_id, card_id);
    await this.database.transaction(async (transaction) => {
      await this.auditTrail.record(transaction, 'remove_card', { ...request, reason: 'removed by the customer' });
      await this.recharges.stopCard(transaction, account_id, card_id);
    });
    await this.providers.currentCheckouts?.removeCard(card_id);
  }

  /** @returns the payment method of auto-recharge. @throws ApiError not_found if the card is not the account's */
  async findMethod(accountId: string, cardId: string): Promise<{ payment_method: string; customer: string }> {
    const customer = await this.findCustomer(accountId);
    const cards = await this.list(accountId);
    if (customer !== null && cards.some(({ card_id }) => card_id === cardId))
      return { payment_method: cardId, customer };
    throw new ApiError('not_found', 'The account has no such card.', { param: 'card_id' });
  }

  private async findCustomer(accountId: string): Promise<string | null> {
    const provider = this.providers.currentCheckouts;
    return provider && this.customers.find(accountId, provider.name);
  }
}
