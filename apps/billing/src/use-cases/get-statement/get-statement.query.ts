import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { Statement, StatementRequest } from '@kinora/contracts/billing/statement';
import { AccountRepository } from '../../account/account.repository';
import { assertEntryId, assertInteger } from '../../operator/operator-input';
import { LedgerRepository } from '../../wallet/ledger.repository';

const DEFAULT_LINES = 100;
const MAX_LINES = 1_000;

/** Lists the moves of an account's money, with the balance after each, page by page into the past. */
@Injectable()
export class GetStatement {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly ledger: LedgerRepository,
  ) {}

  async execute(request: StatementRequest): Promise<Statement> {
    assertInteger(request, 'limit', { max: MAX_LINES });
    assertEntryId(request, 'before_entry_id');
    const { account_id, limit = DEFAULT_LINES, before_entry_id } = request;
    await this.accounts.assertExists(account_id);
    // One extra row shows whether older ones follow.
    const lines = await this.ledger.listLines(account_id, limit + 1, before_entry_id);
    const page = toPage(lines.reverse(), { limit, cursorOf: ({ entry_id }) => entry_id });
    return { data: page.data.reverse(), next_before_entry_id: page.next_cursor };
  }
}
