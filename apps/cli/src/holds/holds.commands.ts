import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { tabulate } from '../output/report';

/** Money that is held for jobs in flight. */
export function addHoldsCommands(program: Command, { stack, print }: CommandContext): void {
  const holds = program.command('holds').description('money that is held for jobs in flight');
  holds
    .command('list')
    .argument('<account-id>')
    .description("an account's open holds")
    .action(async (account_id: string) => {
      const open = await stack.ask(billingAdminRpc.listHolds, { account_id });
      print(tabulate(open, ['job_id', 'amount_micros', 'created_at']));
    });
}
