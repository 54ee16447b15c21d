import { Injectable } from '@nestjs/common';
import type { BillingDetails } from '@kinora/contracts/billing/billing-details.rpc';
import { Database, type Queryable, statement } from '@kinora/database';

const FIND = statement(
  'billing_details_find',
  'SELECT name, address, tax_id FROM billing_details WHERE account_id = $1',
);
const SET = statement(
  'billing_details_set',
  `INSERT INTO billing_details (account_id, name, address, tax_id) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, address = excluded.address, tax_id = excluded.tax_id`,
);

/** Who the customers of accounts are on paper. */
@Injectable()
export class BillingDetailsRepository {
  constructor(private readonly database: Database) {}

  find(accountId: string, on: Queryable = this.database): Promise<BillingDetails | null> {
    return on.findOne<BillingDetails>(FIND, [accountId]);
  }

  async set(on: Queryable, accountId: string, { name, address, tax_id }: BillingDetails): Promise<void> {
    await on.execute(SET, [accountId, name, address, tax_id]);
  }
}
