import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';

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
}
