import type { Command } from 'commander';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { reversalRpc } from '@kinora/contracts/billing/reversal.rpc';
import type { AdjustmentCause, Statement, StatementLine } from '@kinora/contracts/billing/statement';
import type { Micros } from '@kinora/contracts/shared/money';
import type { CommandContext } from '../command-context';
import { CURSOR, given, positiveIntegerOf, positiveUsdOf, signedUsdOf, usdOf } from '../option-values';
import { UsageError } from '../output/error-envelope';
import { describe, formatTable, tabulate } from '../output/report';

const WHAT = {
  top_up: 'paid in',
  credit: 'credit granted',
  adjustment: 'adjusted',
  reserve: 'held for a job',
  capture: 'charged for a job',
  refund: 'returned for a job',
} as const satisfies Record<StatementLine['kind'], string>;

const CAUSES = {
  payment_refund: 'payment given back',
  dispute: 'payment disputed',
  debt_payment: 'paid what was owed',
} as const satisfies Record<AdjustmentCause, string>;

/** Adds the commands that change an account's balance or list its changes. */
export function addBalanceCommands(account: Command, context: CommandContext): void {
  addStatement(account, context);
  addDeposits(account, context);
  addAdjust(account, context);
}

function addStatement(account: Command, { stack, print }: CommandContext): void {
  account
    .command('statement <account-id>')
    .option('--limit <n>', 'how many lines, the newest ones', positiveIntegerOf('--limit'))
    .option('--before <entry-id>', 'only lines before this entry, as the newer page shows it')
    .description('the changes of the balance, line by line')
    .action(async (account_id: string, { limit, before }: { limit?: number; before?: string }) => {
      const request = { account_id, ...given({ limit, before_entry_id: before }) };
      const statement = await stack.request(billingAdminRpc.getStatement, request);
      const next = statement.next_before_entry_id;
      const older = next === null ? '' : `\nOlder lines: --before ${next}`;
      print({ value: statement, text: formatLines(statement.data) + older + formatArchived(statement) });
    });
}

function addDeposits(account: Command, { stack, print }: CommandContext): void {
  for (const [verb, contract, description] of [
    ['top-up', billingAdminRpc.topUp, 'add money that was paid to an account'],
    ['credit', billingAdminRpc.grantCredit, 'add money without a payment to an account'],
  ] as const) {
    account
      .command(`${verb} <account-id>`)
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
    .command('adjust <account-id>')
    .requiredOption('--usd <usd>', 'the amount, with a minus to take it away', signedUsdOf('--usd'))
    .requiredOption('--reason <reason>', 'shown in the statement')
    .option('--reference <text>', 'your own id of the change; a repeated id changes nothing')
    .description('correct the balance of an account, never below zero')
    .action(async (account_id: string, { usd, reason, reference }: AdjustOptions) => {
      const request = { account_id, amount_micros: usd, reason, ...given({ reference }) };
      print(describe(await stack.requestAsOperator(billingAdminRpc.adjustBalance, request)));
    });
}

function formatArchived({ archived }: Statement): string {
  return archived ? `\nArchived through ${archived.through}: balance_micros ${archived.closing_micros}` : '';
}

function formatLines(lines: StatementLine[]): string {
  const rows = lines.map(({ created_at, kind, cause, balance_delta_micros, ...line }) => ({
    date: created_at,
    what: cause === undefined ? WHAT[kind] : CAUSES[cause],
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

interface RechargeOptions {
  enabled?: true;
  disabled?: true;
  thresholdUsd?: Micros;
  amountUsd?: Micros;
  monthlyCapUsd?: Micros | 'none';
  paymentMethod?: string;
  customer?: string;
}

interface RefundOptions {
  usd: Micros;
  reason: string;
  refundId?: string;
}

/** Adds the commands for payments and automatic recharges. */
export function addRechargeCommands(account: Command, { stack, print }: CommandContext): void {
  account
    .command('set-auto-recharge <account-id>')
    .option('--enabled', 'charge the account when its balance runs low')
    .option('--disabled', 'turn automatic recharges off')
    .option('--threshold-usd <usd>', 'charged when the balance is below this', usdOf('--threshold-usd'))
    .option('--amount-usd <usd>', 'the amount of each recharge', usdOf('--amount-usd'))
    .option('--monthly-cap-usd <usd>', 'at most per month in UTC, or none', capOf)
    .option('--payment-method <id>', 'the payment method, as the payment provider names it')
    .option('--customer <id>', 'the customer, as the payment provider names it')
    .description('charge an account automatically when its balance runs low; omitted settings stay as they are')
    .action(async (account_id: string, options: RechargeOptions) => {
      if (options.enabled === options.disabled)
        throw new UsageError('error: one of --enabled and --disabled must be given');
      const settings = given({
        threshold_micros: options.thresholdUsd,
        amount_micros: options.amountUsd,
        monthly_cap_micros: options.monthlyCapUsd === 'none' ? null : options.monthlyCapUsd,
        payment_method: options.paymentMethod,
        customer: options.customer,
      });
      const request = { account_id, enabled: options.enabled === true, ...settings };
      print(describe(await stack.requestAsOperator(billingAdminRpc.setAutoRecharge, request)));
    });
  account
    .command('payments <account-id>')
    .option('--cursor <cursor>', CURSOR)
    .description('the payments of an account, newest first')
    .action(async (account_id: string, { cursor }: { cursor?: string }) => {
      const payments = await stack.request(billingAdminRpc.listPayments, { account_id, ...given({ cursor }) });
      const columns = [
        'created_at',
        'provider',
        'amount_micros',
        'state',
        'failure',
        'dispute',
        'refunded_micros',
        'reference',
        'payment_id',
      ] as const;
      print(tabulate(payments, columns));
    });
  account
    .command('refund-payment <account-id> <payment-id>')
    .requiredOption('--usd <usd>', 'the amount, at most what is unspent', positiveUsdOf('--usd'))
    .requiredOption('--reason <reason>', 'shown in the statement')
    .option('--refund-id <uuid>', 'your own id of the refund; a repeated id refunds nothing')
    .description('give a payment back to the card')
    .action(async (account_id: string, payment_id: string, { usd, reason, refundId }: RefundOptions) => {
      const request = { account_id, payment_id, amount_micros: usd, reason, ...given({ refund_id: refundId }) };
      print(describe(await stack.requestAsOperator(reversalRpc.refundPayment, request)));
    });
  account
    .command('end-payment <account-id> <payment-id>')
    .requiredOption('--reason <reason>', 'kept in the audit trail')
    .description('end a recharge whose outcome the payment provider does not tell, so that others can begin')
    .action(async (account_id: string, payment_id: string, { reason }: { reason: string }) => {
      const request = { account_id, payment_id, reason };
      print(describe(await stack.requestAsOperator(billingAdminRpc.endPayment, request)));
    });
}

function capOf(text: string): Micros | 'none' {
  return text === 'none' ? text : usdOf('--monthly-cap-usd')(text);
}
