import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { given, positiveIntegerOf } from '../option-values';
import { describe, tabulate } from '../output/report';

const COLUMNS = ['decision_id', 'job_id', 'stage', 'verdict', 'engine', 'reason', 'created_at'] as const;

interface ListOptions {
  account?: string;
  job?: string;
  verdict?: string;
  limit?: number;
}

/** What the moderation gate decided, for audit and appeal. */
export function addDecisionCommands(program: Command, { stack, print }: CommandContext): void {
  const decision = program.command('decision').description('what the moderation gate decided');
  decision
    .command('list')
    .description('decisions, newest first')
    .option('--account <id>', 'about jobs of this account only')
    .option('--job <id>', 'about this job only')
    .option('--verdict <verdict>', 'only passed, or only blocked')
    .option('--limit <n>', 'at most so many', positiveIntegerOf('--limit'))
    .action(async ({ account: account_id, job: job_id, verdict, limit }: ListOptions) => {
      const wish = given({ account_id, job_id, verdict, limit });
      print(tabulate(await stack.ask(moderationAdminRpc.listDecisions, wish), COLUMNS));
    });
  decision
    .command('show')
    .argument('<decision-id>')
    .description('what was found, by which engines; never what was judged')
    .action(async (decision_id: string) => {
      print(describe(await stack.ask(moderationAdminRpc.getDecision, { decision_id })));
    });
}
