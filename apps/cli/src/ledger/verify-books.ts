import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger-report';
import { type VerifyHoldsRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { StackClient } from '../stack/stack-client';

export interface BooksReport extends Pick<LedgerReport, 'ok' | 'accounts' | 'entries' | 'books' | 'violations'> {
  /** How many were compared with their holds. */
  jobs: number;
}

/**
 * Requests that each context verifies its own sums, and that jobs and billing verify each other's, page by page of a
 * long history.
 * @param full Reads every entry of the ledger again, not only those since the last run.
 */
export async function verifyBooks(stack: StackClient, full = false): Promise<BooksReport> {
  const ledger = await verifyLedger(stack, full);
  const jobs = await verifyHolds(stack, 'jobs');
  const holds = await verifyHolds(stack, 'holds');
  const usage = await stack.request(jobsRpc.verifyUsage, {});
  const violations = [ledger, jobs, holds, usage].flatMap((report) => report.violations);
  return { ...ledger, jobs: jobs.checked, ok: violations.length === 0, violations };
}

type LedgerSums = Omit<LedgerReport, 'next_account_id' | 'next_cursor'>;

async function verifyLedger(stack: StackClient, full: boolean): Promise<LedgerSums> {
  const { next_account_id, next_cursor, ...report } = await stack.request(
    billingAdminRpc.verifyLedger,
    full ? { full } : {},
  );
  for (let next = goOn(next_account_id, next_cursor); next !== null;) {
    const more = await stack.request(billingAdminRpc.verifyLedger, next);
    report.accounts += more.accounts;
    report.entries += more.entries;
    for (const book of Object.keys(more.books) as (keyof typeof more.books)[]) report.books[book] += more.books[book];
    report.violations.push(...more.violations);
    next = goOn(more.next_account_id, more.next_cursor);
  }
  return report;
}

function goOn(after_account_id: string | null, cursor: string | null | undefined): VerifyLedgerRequest | null {
  if (cursor) return { full: true, cursor };
  return after_account_id === null ? null : { after_account_id };
}

async function verifyHolds(
  stack: StackClient,
  side: VerifyHoldsRequest['side'],
): Promise<{ checked: number; violations: LedgerReport['violations'] }> {
  const { next_job_id: first, ...report } = await stack.request(jobsRpc.verifyHolds, { side });
  for (let next = first; next !== null;) {
    const more = await stack.request(jobsRpc.verifyHolds, { side, after_job_id: next });
    report.checked += more.checked;
    report.violations.push(...more.violations);
    next = more.next_job_id;
  }
  return report;
}
