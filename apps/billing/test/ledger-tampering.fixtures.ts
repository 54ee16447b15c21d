import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger.rpc';
import { type Database, statement } from '@kinora/database';
import { verifyLedger } from '../src/use-cases/verify-ledger.use-case';

/** Top-ups of a micro each, and the balance that they make. */
export const WRITE_ENTRIES = statement(
  'spec_write_entries',
  `WITH written AS (
     INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros)
     SELECT $1, 'top_up', 'top_ups', 'available', 1 FROM generate_series(1, $2)
     RETURNING amount_micros
   )
   UPDATE wallet SET available_micros = available_micros + (SELECT sum(amount_micros) FROM written) WHERE account_id = $1`,
);

/** Statements by a person with access to the database, who lets the ledger take them. */
export function tampering(...statements: string[]): string[] {
  return [
    'GRANT UPDATE, DELETE ON ledger_entry TO CURRENT_USER',
    'ALTER TABLE ledger_entry DISABLE TRIGGER USER',
    ...statements,
    'ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_is_append_only',
  ];
}

/** Runs the statements, returns the findings of a run, and rolls back. */
export async function auditAfter(
  database: Database,
  statements: string[],
  request: VerifyLedgerRequest = {},
): Promise<LedgerReport> {
  const undo = new Error('undo');
  let report: LedgerReport | undefined;
  const tampered = database.transaction(async (transaction) => {
    for (const sql of statements) await transaction.execute(statement('', sql));
    report = await verifyLedger({ transaction: (work) => work(transaction) }, request);
    throw undo;
  });
  await expect(tampered).rejects.toBe(undo);
  return report as unknown as LedgerReport;
}

export function rulesOf({ violations }: LedgerReport): string[] {
  return [...new Set(violations.map(({ rule }) => rule))].sort();
}
