import { Injectable } from '@nestjs/common';
import type { StatementLine } from '@kinora/contracts/billing/billing-admin.rpc';
import { Database, statement } from '@kinora/database';

/** Counted back from the wallet, so that a long history costs no more than a short one. */
const LIST_LINES = statement(
  'ledger_list_lines',
  `SELECT entry.id::text AS entry_id, entry.kind, entry.amount_micros, entry.balance_delta_micros,
          (wallet.available_micros + entry.balance_delta_micros
            - sum(entry.balance_delta_micros) OVER (ORDER BY entry.id DESC))::bigint AS balance_after_micros,
          entry.job_id, entry.reason, entry.created_at
   FROM wallet JOIN LATERAL (
     SELECT id, kind, amount_micros, job_id, reason, created_at,
            CASE 'available' WHEN credit THEN amount_micros WHEN debit THEN -amount_micros ELSE 0 END
              AS balance_delta_micros
     FROM ledger_entry WHERE account_id = wallet.account_id ORDER BY id DESC LIMIT $2
   ) AS entry ON true
   WHERE wallet.account_id = $1
   ORDER BY entry.id`,
);

/** What has happened to an account's money. Entries are only ever added, by the statements that move it. */
@Injectable()
export class LedgerRepository {
  constructor(private readonly database: Database) {}

  /** The newest so many lines, newest last. */
  async listLines(accountId: string, limit: number): Promise<StatementLine[]> {
    const rows = await this.database.query<Omit<StatementLine, 'created_at'> & { created_at: Date }>(LIST_LINES, [
      accountId,
      limit,
    ]);
    return rows.map(({ created_at, ...line }) => ({ ...line, created_at: created_at.toISOString() }));
  }
}
