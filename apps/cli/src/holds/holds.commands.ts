import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { CURSOR, given } from '../option-values';
import { tabulate } from '../output/report';

/** Adds the commands for money that is held for jobs in flight. */
export function addHoldsCommands(program: Command, { stack, print }: CommandContext): void {
  const holds = program.command('holds').description('money that is held for jobs in flight');
  holds
    .command('list')
    .argument('<account-id>')
    .option('--cursor <cursor>', CURSOR)
    .description("an account's open holds")
    .action(async (account_id: string, { cursor }: { cursor?: string }) => {
      const open = await stack.request(billingAdminRpc.listHolds, { account_id, ...given({ cursor }) });
      print(tabulate(open, ['job_id', 'amount_micros', 'created_at']));
    });
}
