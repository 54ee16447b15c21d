import { Injectable } from '@nestjs/common';
import { Database, type Queryable, statement } from '@kinora/database';
import type { PaymentCustomerEntity } from './checkout.entity';

const FIND = statement(
  'payment_customer_find',
  'SELECT customer FROM payment_customer WHERE account_id = $1 AND provider = $2',
);

/** Of two processes that open a customer at once, the first one's stays. */
const ADD = statement(
  'payment_customer_add',
  `INSERT INTO payment_customer (account_id, provider, customer) VALUES ($1, $2, $3)
   ON CONFLICT (account_id, provider) DO NOTHING`,
);

/** Several checks fall into the time before a card expires. */
const CLAIM_CARD_CHECKS = statement(
  'payment_customer_claim_card_checks',
  `UPDATE payment_customer SET next_card_check_at = now() + interval '7 days'
   WHERE (account_id, provider) IN (SELECT account_id, provider FROM payment_customer
                                    WHERE provider = $1 AND next_card_check_at <= now()
                                    ORDER BY next_card_check_at LIMIT 10 FOR UPDATE SKIP LOCKED)
   RETURNING account_id, customer, warned_cards`,
);
const SET_WARNED_CARDS = statement(
  'payment_customer_set_warned_cards',
  'UPDATE payment_customer SET warned_cards = $3 WHERE account_id = $1 AND provider = $2',
);

export type CheckedCustomer = Pick<PaymentCustomerEntity, 'account_id' | 'customer' | 'warned_cards'>;

/** The customers of accounts at the payment providers. */
@Injectable()
export class PaymentCustomerRepository {
  constructor(private readonly database: Database) {}

  async find(accountId: string, provider: string): Promise<string | null> {
    const row = await this.database.findOne<{ customer: string }>(FIND, [accountId, provider]);
    return row?.customer ?? null;
  }

  /** The customer of the account, which `open` makes at the provider if there is none. */
  async findOrOpen(accountId: string, provider: string, open: () => Promise<string>): Promise<string> {
    const known = await this.find(accountId, provider);
    if (known !== null) return known;
    const customer = await open();
    await this.database.execute(ADD, [accountId, provider, customer]);
    return (await this.find(accountId, provider)) ?? customer;
  }

  /** Those whose cards were not checked for a week. */
  claimCardChecks(provider: string): Promise<CheckedCustomer[]> {
    return this.database.query<CheckedCustomer>(CLAIM_CARD_CHECKS, [provider]);
  }

  async setWarnedCards(on: Queryable, accountId: string, provider: string, cardIds: string[]): Promise<void> {
    await on.execute(SET_WARNED_CARDS, [accountId, provider, cardIds]);
  }
}
