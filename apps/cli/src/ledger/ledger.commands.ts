import type { RecordCheckRequest } from '@kinora/contracts/console/checks.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { formatTable } from '../output/format-table';
import { recordCheck } from '../stack/record-check';
import { type BooksReport, verifyBooks } from './verify-books';

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
