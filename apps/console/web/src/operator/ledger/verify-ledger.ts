import { type LedgerReport, OPERATOR } from '../../api/operator';
import { act } from '../actions/confirmation';
import { queryString } from '../../formatting/query-string';

/** Compares all wallets with the ledger. An answer covers what fits into its time, so a long ledger needs several. */
export async function verifyLedger(reason: string): Promise<Pick<LedgerReport, 'accounts' | 'violations'>> {
  const sum: Pick<LedgerReport, 'accounts' | 'violations'> = { accounts: 0, violations: [] };
  let after: string | null = null;
  do {
    const path: string = `${OPERATOR}/ledger/verifications${queryString({ after_account_id: after })}`;
    const report: LedgerReport = await act<LedgerReport>('POST', path, { reason });
    sum.accounts += report.accounts;
    sum.violations.push(...report.violations);
    after = report.next_account_id;
  } while (after !== null);
  return sum;
}
