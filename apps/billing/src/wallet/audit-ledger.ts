import type { LedgerReport } from '@kinora/contracts/billing/billing-admin.rpc';
import { type Queryable, statement } from '@kinora/database';
import { FIND_VIOLATIONS_SQL } from './ledger-rules';

/** The whole ledger is read; what bounds every other statement would end this one on a large ledger. */
const ALLOW_A_MINUTE = statement('ledger_allow_a_minute', `SET LOCAL statement_timeout = '60s'`);
/** PostgreSQL's own limit, which says why, must end the statement first. */
const A_MINUTE_AND_A_BIT = { timeoutMs: 65_000 };

const COUNT = statement(
  'ledger_count',
  `SELECT (SELECT count(*) FROM account) AS accounts, (SELECT count(*) FROM ledger_entry) AS entries`,
  A_MINUTE_AND_A_BIT,
);

const FIND_VIOLATIONS = statement('ledger_find_violations', FIND_VIOLATIONS_SQL, A_MINUTE_AND_A_BIT);

/** Recomputes everything from the entries and trusts nothing that is derived. */
export async function auditLedger(transaction: Queryable): Promise<LedgerReport> {
  await transaction.execute(ALLOW_A_MINUTE);
  const [counted] = await transaction.query<{ accounts: number; entries: number }>(COUNT);
  const violations = await transaction.query<LedgerReport['violations'][number]>(FIND_VIOLATIONS);
  return {
    ok: violations.length === 0,
    accounts: counted?.accounts ?? 0,
    entries: counted?.entries ?? 0,
    violations,
  };
}
