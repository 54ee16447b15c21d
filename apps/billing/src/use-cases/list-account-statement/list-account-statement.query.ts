import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { AccountStatementList, StatementEntry } from '@kinora/contracts/billing/account-statement';
import type { CallerListRequest } from '@kinora/contracts/billing/self-service.rpc';
import type { StatementLine } from '@kinora/contracts/billing/statement';
import { ManagedKeyRepository } from '../../api-key/managed-key.repository';
import { PUBLIC_PAGE_MAX_BYTES } from '../../operator/page-place';
import { LedgerRepository } from '../../wallet/ledger.repository';
import { decodeStatementPlace, encodeStatementPlace } from '../../wallet/statement-place';

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
    const page = { limit, maxBytes: PUBLIC_PAGE_MAX_BYTES, cursorOf: encodeStatementPlace };
    return { object: 'list', ...toPage(entries, page) };
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
