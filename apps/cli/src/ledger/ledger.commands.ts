import { type LedgerReport, billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { formatTable } from '../output/format-table';

/** The books. */
export function addLedgerCommands(program: Command, { stack, print }: CommandContext): void {
  const ledger = program.command('ledger').description('the books');
  ledger
    .command('verify')
    .description('recompute every wallet and recount every job; exits 1 if an invariant does not hold')
    .action(async () => {
      const books = await stack.ask(billingAdminRpc.verifyLedger, {});
      const usage = await stack.ask(jobsRpc.verifyUsage, {});
      const violations = [...books.violations, ...usage.violations];
      const report = { ...books, ok: violations.length === 0, violations };
      print({ value: report, text: formatReport(report), failed: !report.ok });
    });
}

function formatReport({ ok, accounts, entries, violations }: LedgerReport): string {
  const summary = `${ok ? 'ok' : 'FAIL'}: ${accounts} accounts, ${entries} entries, ${violations.length} violations`;
  return ok ? summary : `${summary}\n${formatTable(violations, ['rule', 'account_id', 'detail'])}`;
}
