import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { CURSOR, given, usdOf } from '../option-values';
import { describe, tabulate } from '../output/report';
import { UsageError } from '../usage-error';

interface RechargeOptions {
  enabled?: true;
  disabled?: true;
  thresholdUsd?: Micros;
  amountUsd?: Micros;
  monthlyCapUsd?: Micros | 'none';
  paymentMethod?: string;
  customer?: string;
}

/** Adds the commands for automatic recharges. */
export function addRechargeCommands(account: Command, { stack, print }: CommandContext): void {
  account
    .command('set-auto-recharge')
    .argument('<account-id>')
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
    .command('payments')
    .argument('<account-id>')
    .option('--cursor <cursor>', CURSOR)
    .description('the recharges of an account, newest first')
    .action(async (account_id: string, { cursor }: { cursor?: string }) => {
      const payments = await stack.request(billingAdminRpc.listPayments, { account_id, ...given({ cursor }) });
      const columns = [
        'created_at',
        'provider',
        'amount_micros',
        'state',
        'failure',
        'reference',
        'payment_id',
      ] as const;
      print(tabulate(payments, columns));
    });
  account
    .command('end-payment')
    .argument('<account-id>')
    .argument('<payment-id>')
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
