import { Injectable } from '@nestjs/common';
import { Database, type Queryable, statement } from '@kinora/database';

const ALLOW = statement(
  'rehearsal_account_allow',
  'INSERT INTO rehearsal_account (account_id) VALUES ($1) ON CONFLICT DO NOTHING',
);

const EXISTS = statement('rehearsal_account_exists', 'SELECT account_id FROM rehearsal_account WHERE account_id = $1');

/** Accounts that rehearse: blocks of moderation's own test material are no strikes of theirs. */
@Injectable()
export class RehearsalAccountRepository {
  constructor(private readonly database: Database) {}

  async allow(accountId: string): Promise<void> {
    await this.database.execute(ALLOW, [accountId]);
  }

  async isAllowed(on: Queryable, accountId: string): Promise<boolean> {
    return (await on.findOne(EXISTS, [accountId])) !== null;
  }
}
