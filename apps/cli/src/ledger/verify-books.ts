import { type LedgerReport, billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { type VerifyHoldsRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { StackClient } from '../stack/stack-client';

export interface BooksReport extends Pick<LedgerReport, 'ok' | 'accounts' | 'entries' | 'books' | 'violations'> {
  /** How many were compared with their holds. */
  jobs: number;
}

/** Asks each context about its own sums, and jobs and billing about each other's, stretch by stretch of a long history. */
export async function verifyBooks(stack: StackClient): Promise<BooksReport> {
  const ledger = await verifyLedger(stack);
  const jobs = await verifyHolds(stack, 'jobs');
  const holds = await verifyHolds(stack, 'holds');
  const usage = await stack.ask(jobsRpc.verifyUsage, {});
  const violations = [ledger, jobs, holds, usage].flatMap((report) => report.violations);
  return { ...ledger, jobs: jobs.checked, ok: violations.length === 0, violations };
}

async function verifyLedger(stack: StackClient): Promise<Omit<LedgerReport, 'next_account_id'>> {
  const { next_account_id: first, ...report } = await stack.ask(billingAdminRpc.verifyLedger, {});
  for (let next = first; next !== null;) {
    const more = await stack.ask(billingAdminRpc.verifyLedger, { after_account_id: next });
    report.accounts += more.accounts;
    report.entries += more.entries;
    for (const book of Object.keys(more.books) as (keyof typeof more.books)[]) report.books[book] += more.books[book];
    report.violations.push(...more.violations);
    next = more.next_account_id;
  }
  return report;
}

async function verifyHolds(
  stack: StackClient,
  side: VerifyHoldsRequest['side'],
): Promise<{ checked: number; violations: LedgerReport['violations'] }> {
  const { next_job_id: first, ...report } = await stack.ask(jobsRpc.verifyHolds, { side });
  for (let next = first; next !== null;) {
    const more = await stack.ask(jobsRpc.verifyHolds, { side, after_job_id: next });
    report.checked += more.checked;
    report.violations.push(...more.violations);
    next = more.next_job_id;
  }
  return report;
}
