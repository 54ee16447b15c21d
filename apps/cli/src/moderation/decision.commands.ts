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

/** Adds the commands for decisions of the moderation gate, for audit and appeal. */
export function addDecisionCommands(program: Command, context: CommandContext): void {
  const decision = program.command('decision').description('decisions of the moderation gate');
  addReports(decision, context);
  addReplay(decision, context);
}

function addReports(decision: Command, { stack, print }: CommandContext): void {
  decision
    .command('list')
    .description('decisions, newest first')
    .option('--account <id>', 'of jobs of this account only')
    .option('--job <id>', 'of this job only')
    .option('--verdict <verdict>', 'only passed, or only blocked')
    .option('--limit <n>', 'how many at most', positiveIntegerOf('--limit'))
    .option('--cursor <cursor>', CURSOR)
    .action(async ({ account: account_id, job: job_id, verdict, limit, cursor }: ListOptions) => {
      const filter = given({ account_id, job_id, verdict, limit, cursor });
      print(tabulate(await stack.request(moderationAdminRpc.listDecisions, filter), COLUMNS));
    });
  decision
    .command('show')
    .argument('<decision-id>')
    .description('what was found and by which engines; never the content')
    .action(async (decision_id: string) => {
      print(describe(await stack.request(moderationAdminRpc.getDecision, { decision_id })));
    });
}

function addReplay(decision: Command, { stack, print }: CommandContext): void {
  decision
    .command('replay')
    .description('which recorded decisions another moderation.yaml would change, by the recorded scores')
    .requiredOption('--policy <file>', 'the moderation.yaml to try')
    .option('--since <time>', 'only decisions from this time on')
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
  const kept = `Findings of ${report.as_recorded.join(' and ')} stay as recorded: no content is stored, so these engines cannot judge it again.`;
  const table = formatTable(report.changes, CHANGE_COLUMNS);
  return { value: report, text: `${turned} of ${report.checked} decisions would change.\n${table}\n${kept}` };
}
