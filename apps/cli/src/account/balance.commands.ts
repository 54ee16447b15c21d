import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { StatementLine } from '@kinora/contracts/billing/statement';
import type { Micros } from '@kinora/contracts/shared/money';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { given, positiveIntegerOf, positiveUsdOf, signedUsdOf } from '../option-values';
import { formatTable } from '../output/format-table';
import { describe } from '../output/report';

const WHAT = {
  top_up: 'paid in',
  credit: 'credit granted',
  adjustment: 'adjusted',
  reserve: 'held for a job',
  capture: 'charged for a job',
  refund: 'returned for a job',
} as const satisfies Record<StatementLine['kind'], string>;

/** Adds the commands that change an account's balance or list its changes. */
export function addBalanceCommands(account: Command, context: CommandContext): void {
  addStatement(account, context);
  addDeposits(account, context);
  addAdjust(account, context);
}

function addStatement(account: Command, { stack, print }: CommandContext): void {
  account
    .command('statement')
    .argument('<account-id>')
    .option('--limit <n>', 'how many lines, the newest ones', positiveIntegerOf('--limit'))
    .option('--before <entry-id>', 'only lines before this entry, as the newer page shows it')
    .description('the changes of the balance, line by line')
    .action(async (account_id: string, { limit, before }: { limit?: number; before?: string }) => {
      const request = { account_id, ...given({ limit, before_entry_id: before }) };
      const statement = await stack.request(billingAdminRpc.getStatement, request);
      const next = statement.next_before_entry_id;
      const text = formatLines(statement.data) + (next === null ? '' : `\nOlder lines: --before ${next}`);
      print({ value: statement, text });
    });
}

function addDeposits(account: Command, { stack, print }: CommandContext): void {
  for (const [verb, contract, description] of [
    ['top-up', billingAdminRpc.topUp, 'add money that was paid to an account'],
    ['credit', billingAdminRpc.grantCredit, 'add money without a payment to an account'],
  ] as const) {
    account
      .command(verb)
      .argument('<account-id>')
      .requiredOption('--usd <usd>', 'the amount', positiveUsdOf('--usd'))
      .option('--reason <reason>', 'shown in the statement')
      .option('--reference <text>', 'your own id of the payment; a repeated id adds nothing')
      .description(description)
      .action(async (account_id: string, { usd, ...named }: { usd: Micros; reason?: string; reference?: string }) => {
        const request = { account_id, amount_micros: usd, ...given(named) };
        print(describe(await stack.requestAsOperator(contract, request)));
      });
  }
}

interface AdjustOptions {
  usd: Micros;
  reason: string;
  reference?: string;
}

function addAdjust(account: Command, { stack, print }: CommandContext): void {
  account
    .command('adjust')
    .argument('<account-id>')
    .requiredOption('--usd <usd>', 'the amount, with a minus to take it away', signedUsdOf('--usd'))
    .requiredOption('--reason <reason>', 'shown in the statement')
    .option('--reference <text>', 'your own id of the change; a repeated id changes nothing')
    .description('correct the balance of an account, never below zero')
    .action(async (account_id: string, { usd, reason, reference }: AdjustOptions) => {
      const request = { account_id, amount_micros: usd, reason, ...given({ reference }) };
      print(describe(await stack.requestAsOperator(billingAdminRpc.adjustBalance, request)));
    });
}

function formatLines(lines: StatementLine[]): string {
  const rows = lines.map(({ created_at, kind, balance_delta_micros, ...line }) => ({
    date: created_at,
    what: WHAT[kind],
    amount_micros: line.amount_micros,
    change_micros: balance_delta_micros,
    balance_micros: line.balance_after_micros,
    job_id: line.job_id,
    reason: line.reason,
    reference: line.reference ?? null,
  }));
  return formatTable(rows, [
    'date',
    'what',
    'amount_micros',
    'change_micros',
    'balance_micros',
    'job_id',
    'reason',
    'reference',
  ]);
}
