import { type Command, Option } from 'commander';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger.rpc';
import type { RecordCheckRequest } from '@kinora/contracts/console/checks.rpc';
import { jobsRpc, type VerifyHoldsRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { CommandContext } from '../command-context';
import { CURSOR, given } from '../option-values';
import { formatTable, tabulate } from '../output/report';
import { compareWithRecord, exportMonth, recordExport, toReport, verifyArchive } from './ledger-archive';
import { recordCheck, type StackClient } from '../stack/stack-client';

export interface BooksReport extends Pick<LedgerReport, 'ok' | 'accounts' | 'entries' | 'books' | 'violations'> {
  /** How many were compared with their holds. */
  jobs: number;
}

/**
 * Requests that each context verifies its own sums, and that jobs and billing verify each other's, page by page of a
 * long history.
 * @param scope what of the ledger is read again
 */
async function verifyBooks(stack: StackClient, scope: VerifyLedgerRequest): Promise<BooksReport> {
  const ledger = await verifyLedger(stack, scope);
  const jobs = await verifyHolds(stack, 'jobs');
  const holds = await verifyHolds(stack, 'holds');
  const usage = await stack.request(jobsRpc.verifyUsage, {});
  const violations = [ledger, jobs, holds, usage].flatMap((report) => report.violations);
  return { ...ledger, jobs: jobs.checked, ok: violations.length === 0, violations };
}

type LedgerSums = Omit<LedgerReport, 'next_account_id' | 'next_cursor'>;

async function verifyLedger(stack: StackClient, scope: VerifyLedgerRequest): Promise<LedgerSums> {
  const first = await stack.request(billingAdminRpc.verifyLedger, scope);
  const { next_account_id: _account, next_cursor: _cursor, ...report } = first;
  for (let next = goOn(scope, first); next !== null;) {
    const more = await stack.request(billingAdminRpc.verifyLedger, next);
    report.accounts += more.accounts;
    report.entries += more.entries;
    for (const book of Object.keys(more.books) as (keyof typeof more.books)[])
      report.books[book] = (report.books[book] ?? 0) + (more.books[book] ?? 0);
    report.violations.push(...more.violations);
    next = goOn(scope, more);
  }
  return report;
}

function goOn(
  scope: VerifyLedgerRequest,
  { next_account_id: after_account_id, next_cursor: cursor }: LedgerReport,
): VerifyLedgerRequest | null {
  if (cursor) return { ...scope, cursor };
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
    .option('--all', 'read every entry of the ledger again, not only those of open months')
    .addOption(new Option('--full', 'the former name of --all').implies({ all: true }).hideHelp())
    .option('--archive <file>', 'check a file of ledger export instead, with a stack also against what was recorded')
    .action(async ({ all = false, archive }: { all?: boolean; archive?: string }) => {
      if (archive !== undefined) return print(toReport(await compareWithRecord(stack, await verifyArchive(archive))));
      const report = await verifyBooks(stack, all ? { full: true } : { open_months: true });
      await recordCheck(stack, toCheck(report));
      print({ value: report, text: formatReport(report), failed: !report.ok });
    });
  ledger
    .command('export')
    .argument('<file>', 'which must not exist yet')
    .requiredOption('--month <month>', 'a closed month, such as 2026-11')
    .description('write the entries of a closed month and what they add up to, check the file, and record its hash')
    .action(async (file: string, { month }: { month: string }) => {
      await exportMonth(stack, month, file);
      print(toReport(await recordExport(stack, await verifyArchive(file))));
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
