import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { CURSOR, given, positiveIntegerOf } from '../option-values';
import { describe, tabulate } from '../output/report';

const COLUMNS = ['strike_id', 'account_id', 'job_id', 'decision_id', 'created_at', 'lifted_at', 'lift_reason'] as const;

interface ListOptions {
  account?: string;
  limit?: number;
  cursor?: string;
}

/** Adds the commands for strikes: jobs whose output was blocked. */
export function addStrikeCommands(program: Command, { stack, print }: CommandContext): void {
  const strike = program.command('strike').description('jobs whose output was blocked');
  strike
    .command('list')
    .description('strikes of all accounts or of one, newest first; including lifted ones')
    .option('--account <id>', 'of this account only')
    .option('--limit <n>', 'how many at most', positiveIntegerOf('--limit'))
    .option('--cursor <cursor>', CURSOR)
    .action(async ({ account: account_id, limit, cursor }: ListOptions) => {
      const request = given({ account_id, limit, cursor });
      print(tabulate(await stack.request(moderationAdminRpc.listStrikes, request), COLUMNS));
    });
  strike
    .command('lift')
    .argument('<strike-id>')
    .description('lift a strike: it stays on record and no longer counts')
    .requiredOption('--reason <text>', 'why; stored with the strike')
    .action(async (strike_id: string, { reason }: { reason: string }) => {
      print(describe(await stack.requestAsOperator(moderationAdminRpc.liftStrike, { strike_id, reason })));
    });
}
