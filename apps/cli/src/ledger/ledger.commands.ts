import type { Command } from 'commander';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger.rpc';
import type { RecordCheckRequest } from '@kinora/contracts/console/checks.rpc';
import { jobsRpc, type VerifyHoldsRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { CommandContext } from '../command-context';
import { CURSOR, given } from '../option-values';
import { formatTable, tabulate } from '../output/report';
import { recordCheck, type StackClient } from '../stack/stack-client';

export interface BooksReport extends Pick<LedgerReport, 'ok' | 'accounts' | 'entries' | 'books' | 'violations'> {
  /** How many were compared with their holds. */
  jobs: number;
}

/**
 * Requests that each context verifies its own sums, and that jobs and billing verify each other's, page by page of a
 * long history.
 * @param full Reads every entry of the ledger again, not only those since the last run.
 */
async function verifyBooks(stack: StackClient, full = false): Promise<BooksReport> {
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
    for (const book of Object.keys(more.books) as (keyof typeof more.books)[])
      report.books[book] = (report.books[book] ?? 0) + (more.books[book] ?? 0);
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

export function addLedgerCommands(program: Command, { stack, print }: CommandContext): void {
  const ledger = program.command('ledger').description('the books');
  ledger
    .command('verify')
    .description('compare every wallet, hold and sum of usage; exits 1 if an invariant does not hold')
    .option('--full', 'read every entry of the ledger again, not only those since the last run')
    .action(async ({ full = false }: { full?: boolean }) => {
      const report = await verifyBooks(stack, full);
      await recordCheck(stack, toCheck(report));
      print({ value: report, text: formatReport(report), failed: !report.ok });
    });
}

function formatReport({ ok, accounts, entries, jobs, violations }: BooksReport): string {
  const counts = `${accounts} accounts, ${entries} entries, ${jobs} jobs, ${violations.length} violations`;
  const summary = `${ok ? 'ok' : 'FAIL'}: ${counts}`;
  return ok ? summary : `${summary}\n${formatTable(violations, ['rule', 'account_id', 'detail'])}`;
}

function toCheck({ ok, accounts, entries, jobs, violations }: BooksReport): RecordCheckRequest {
  const problems = violations.map(
    ({ rule, account_id, detail }) => `${rule}: ${account_id ?? 'all accounts'}, ${detail}`,
  );
  return { check: 'ledger_verify', ok, summary: `${accounts} accounts, ${entries} entries, ${jobs} jobs`, problems };
}

/** Adds the commands for money that is held for jobs in flight. */
export function addHoldsCommands(program: Command, { stack, print }: CommandContext): void {
  const holds = program.command('holds').description('money that is held for jobs in flight');
  holds
    .command('list <account-id>')
    .option('--cursor <cursor>', CURSOR)
    .description("an account's open holds")
    .action(async (account_id: string, { cursor }: { cursor?: string }) => {
      const open = await stack.request(billingAdminRpc.listHolds, { account_id, ...given({ cursor }) });
      print(tabulate(open, ['job_id', 'amount_micros', 'created_at']));
    });
}
