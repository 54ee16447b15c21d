import { readFileSync } from 'node:fs';
import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { CURSOR, given, positiveIntegerOf } from '../option-values';
import { formatTable } from '../output/format-table';
import { type Report, describe, tabulate } from '../output/report';
import { type ReplayReport, replayDecisions } from './replay-decisions';

const COLUMNS = ['decision_id', 'job_id', 'stage', 'verdict', 'engine', 'reason', 'created_at'] as const;
const CHANGE_COLUMNS = ['stage', 'from', 'to', 'engine', 'reason', 'decisions', 'decision_ids'] as const;

interface ListOptions {
  account?: string;
  job?: string;
  verdict?: string;
  limit?: number;
  cursor?: string;
}

/** What the moderation gate decided, for audit and appeal. */
export function addDecisionCommands(program: Command, context: CommandContext): void {
  const decision = program.command('decision').description('what the moderation gate decided');
  addReports(decision, context);
  addReplay(decision, context);
}

function addReports(decision: Command, { stack, print }: CommandContext): void {
  decision
    .command('list')
    .description('decisions, newest first')
    .option('--account <id>', 'about jobs of this account only')
    .option('--job <id>', 'about this job only')
    .option('--verdict <verdict>', 'only passed, or only blocked')
    .option('--limit <n>', 'at most so many', positiveIntegerOf('--limit'))
    .option('--cursor <cursor>', CURSOR)
    .action(async ({ account: account_id, job: job_id, verdict, limit, cursor }: ListOptions) => {
      const wish = given({ account_id, job_id, verdict, limit, cursor });
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

function addReplay(decision: Command, { stack, print }: CommandContext): void {
  decision
    .command('replay')
    .description('which decisions on record another moderation.yaml would turn, by the scores of its engines')
    .requiredOption('--policy <file>', 'a moderation.yaml as it might be put in force')
    .option('--since <time>', 'only decisions from then on')
    .action(async ({ policy: file, since }: { policy: string; since?: string }) => {
      print(formatReplay(await replayDecisions(stack, { policy: readPolicy(file), ...given({ since }) })));
    });
}

function readPolicy(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ApiError('invalid_body', `--policy: ${file} cannot be read (${why}).`, { param: '--policy' });
  }
}

function formatReplay(report: ReplayReport): Report {
  const turned = report.changes.reduce((sum, { decisions }) => sum + decisions, 0);
  const kept = `What ${report.as_recorded.join(' and ')} found stays as recorded: no content is kept to ask them about again.`;
  const table = formatTable(report.changes, CHANGE_COLUMNS);
  return { value: report, text: `${turned} of ${report.checked} decisions would turn.\n${table}\n${kept}` };
}
