import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type CheckResult, notTried, runCheck } from './check';
import type { Examination } from './examination';

const NAME = 'ledger';
const NEXT = 'npm run --silent kinora -- ledger verify';

/** Verifies as much of the ledger as fits into the time of one check. */
export async function* checkLedger(examination: Examination): AsyncGenerator<CheckResult> {
  if (examination.failedOf(['billing']).length > 0) {
    yield notTried(NAME, 'billing must answer first');
    return;
  }
  let tookTooLong = false;
  const result = await runCheck(NAME, { next: NEXT }, async () => {
    const report = await examination.client.request(billingAdminRpc.verifyLedger, {}).catch((error: unknown) => {
      tookTooLong = error instanceof ApiError && error.code === 'capacity';
      throw error;
    });
    if (!report.ok) throw new Error(`The ledger has ${report.violations.length} violations.`);
    const rest = report.next_account_id === null ? '' : ' so far; ledger verify reads the rest';
    return `the ledger holds: ${report.accounts} accounts, ${report.entries} entries${rest}`;
  });
  yield tookTooLong ? notTried(NAME, 'it is too long for the time of one check', { next: NEXT }) : result;
}
