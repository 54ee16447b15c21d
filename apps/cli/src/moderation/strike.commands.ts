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

/** Jobs whose output was blocked, and what they count. */
export function addStrikeCommands(program: Command, { stack, print }: CommandContext): void {
  const strike = program.command('strike').description('jobs whose output was blocked');
  strike
    .command('list')
    .description('strikes of all accounts or of one, newest first; lifted ones too')
    .option('--account <id>', 'of this account only')
    .option('--limit <n>', 'at most so many', positiveIntegerOf('--limit'))
    .option('--cursor <cursor>', CURSOR)
    .action(async ({ account: account_id, limit, cursor }: ListOptions) => {
      const request = given({ account_id, limit, cursor });
      print(tabulate(await stack.ask(moderationAdminRpc.listStrikes, request), COLUMNS));
    });
  strike
    .command('lift')
    .argument('<strike-id>')
    .description('take a strike back: it stays on record and counts no longer')
    .requiredOption('--reason <text>', 'why, for whoever reads it later')
    .action(async (strike_id: string, { reason }: { reason: string }) => {
      print(describe(await stack.order(moderationAdminRpc.liftStrike, { strike_id, reason })));
    });
}
