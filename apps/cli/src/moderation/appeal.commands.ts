import type { Command } from 'commander';
import { appealsAdminRpc, type DecideAppealRequest } from '@kinora/contracts/moderation/appeals.rpc';
import type { CommandContext } from '../command-context';
import { CURSOR, given, positiveIntegerOf } from '../option-values';
import { describe, tabulate } from '../output/report';

const COLUMNS = ['appeal_id', 'account_id', 'job_id', 'decision_id', 'status', 'created_at', 'text'] as const;

interface ListOptions {
  status?: string;
  limit?: number;
  cursor?: string;
}

/** Adds the commands for the appeals of customers against blocked outputs. */
export function addAppealCommands(program: Command, context: CommandContext): void {
  const appeal = program.command('appeal').description('what customers say against the block of an output');
  const { stack, print } = context;
  appeal
    .command('list')
    .description('appeals that wait for a decision, oldest first')
    .option('--status <status>', 'upheld or lifted ones instead')
    .option('--limit <n>', 'how many at most', positiveIntegerOf('--limit'))
    .option('--cursor <cursor>', CURSOR)
    .action(async ({ status, limit, cursor }: ListOptions) => {
      print(tabulate(await stack.request(appealsAdminRpc.list, given({ status, limit, cursor })), COLUMNS));
    });
  addDecision(appeal, context, { name: 'uphold', status: 'upheld', effect: 'the block stays' });
  addDecision(appeal, context, {
    name: 'lift',
    status: 'lifted',
    effect: 'the block was wrong; lifts its strike, too',
  });
}

interface AppealDecision extends Pick<DecideAppealRequest, 'status'> {
  name: string;
  effect: string;
}

function addDecision(
  appeal: Command,
  { stack, print }: CommandContext,
  { name, status, effect }: AppealDecision,
): void {
  appeal
    .command(`${name} <appeal-id>`)
    .description(effect)
    .requiredOption('--reason <text>', 'why; the customer reads it')
    .action(async (appeal_id: string, { reason }: { reason: string }) => {
      print(describe(await stack.requestAsOperator(appealsAdminRpc.decide, { appeal_id, status, reason })));
    });
}
