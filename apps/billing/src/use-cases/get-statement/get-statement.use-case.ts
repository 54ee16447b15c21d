import { Injectable } from '@nestjs/common';
import type { StatementLine, StatementRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { AccountRepository } from '../../account/account.repository';
import { assertInteger } from '../../operator-input';
import { LedgerRepository } from '../../wallet/ledger.repository';

const DEFAULT_LINES = 100;
const MAX_LINES = 1_000;

/** Lists what has happened to an account's money, with the balance after each line. */
@Injectable()
export class GetStatement {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly ledger: LedgerRepository,
  ) {}

  async execute(request: StatementRequest): Promise<{ data: StatementLine[] }> {
    assertInteger(request, 'limit', { max: MAX_LINES });
    await this.accounts.assertExists(request.account_id);
    return { data: await this.ledger.listLines(request.account_id, request.limit ?? DEFAULT_LINES) };
  }
}
