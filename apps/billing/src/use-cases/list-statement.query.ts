import { Injectable } from '@nestjs/common';
import type {
  AccountStatementList,
  Statement,
  StatementEntry,
  StatementLine,
  StatementRequest,
} from '@kinora/contracts/billing/statement';
import type { CallerListRequest } from '@kinora/contracts/billing/self-service.rpc';
import { toPage } from '@kinora/bus';
import { AccountRepository } from '../account/account.repository';
import { ManagedKeyRepository } from '../api-key/managed-key.repository';
import { assertEntryId, assertInteger } from '../operator/operator-input';
import { PUBLIC_PAGE_MAX_BYTES } from '../operator/page-place';
import { decodeStatementPlace, encodeStatementPlace, LedgerRepository } from '../wallet/ledger.repository';

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
    const archived = page.next_cursor === null ? await this.ledger.findArchived(account_id) : null;
    return { data: page.data.reverse(), next_before_entry_id: page.next_cursor, ...(archived && { archived }) };
  }
}

/**
 * Lists the moves of the account's money, newest first. The cursor carries the balance, so that a page costs the same
 * however long the history is, and pages agree although money moves between them.
 */
@Injectable()
export class ListAccountStatement {
  constructor(
    private readonly keys: ManagedKeyRepository,
    private readonly ledger: LedgerRepository,
  ) {}

  async execute({ limit, cursor, ...caller }: CallerListRequest): Promise<AccountStatementList> {
    const place = cursor === undefined ? null : decodeStatementPlace(cursor);
    const { account_id } = await this.keys.getCaller(caller);
    // One extra row shows whether older ones follow.
    const lines = place
      ? await this.ledger.listBefore(account_id, limit + 1, place)
      : await this.ledger.listLines(account_id, limit + 1);
    const entries = lines.reverse().map(toStatementEntry);
    const page = toPage(entries, { limit, maxBytes: PUBLIC_PAGE_MAX_BYTES, cursorOf: encodeStatementPlace });
    const archived = page.has_more ? null : await this.ledger.findArchived(account_id);
    return { object: 'list', ...page, ...(archived && { archived }) };
  }
}

/** Without the operator's reason and reference, which are not for the account. */
function toStatementEntry({
  entry_id,
  reason: _reason,
  reference: _reference,
  ...line
}: StatementLine): StatementEntry {
  return { object: 'statement_entry', id: entry_id, ...line };
}
