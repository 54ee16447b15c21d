import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger.rpc';
import { type Database, statement } from '@kinora/database';
import { verifyLedger } from '../src/use-cases/verify-ledger.use-case';

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
