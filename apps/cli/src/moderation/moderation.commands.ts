import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  moderationAdminRpc,
  type PolicyReplay,
  type ReplayedChange,
  type ReplayPolicyRequest,
} from '@kinora/contracts/moderation/moderation-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { CommandContext } from '../command-context';
import { CURSOR, given, positiveIntegerOf } from '../option-values';
import { describe, formatTable, type Report, tabulate } from '../output/report';
import type { StackClient } from '../stack/stack-client';

export type ReplayReport = Pick<PolicyReplay, 'checked' | 'changes' | 'as_recorded'>;

/** How many decisions of each kind are listed. */
const MAX_NAMED = 5;

/** Requests the replay page by page, for any number of decisions, and adds the pages up. */
async function replayDecisions(
  stack: StackClient,
  request: Omit<ReplayPolicyRequest, 'before_decision_id'>,
): Promise<ReplayReport> {
  const { next_before_decision_id: first, ...report } = await stack.request(moderationAdminRpc.replayPolicy, request);
  for (let next = first; next !== null;) {
    const more = await stack.request(moderationAdminRpc.replayPolicy, { ...request, before_decision_id: next });
    report.checked += more.checked;
    for (const change of more.changes) addTo(report.changes, change);
    next = more.next_before_decision_id;
  }
  return report;
}

function addTo(changes: ReplayedChange[], change: ReplayedChange): void {
  const known = changes.find((other) => kindOf(other) === kindOf(change));
  if (!known) return void changes.push(change);
  known.decisions += change.decisions;
  known.decision_ids = [...known.decision_ids, ...change.decision_ids].slice(0, MAX_NAMED);
}

function kindOf({ stage, from, to, engine, reason }: ReplayedChange): string {
  return JSON.stringify([stage, from, to, engine, reason]);
}

const DECISION_COLUMNS = ['decision_id', 'job_id', 'stage', 'verdict', 'engine', 'reason', 'created_at'] as const;
const CHANGE_COLUMNS = ['stage', 'from', 'to', 'engine', 'reason', 'decisions', 'decision_ids'] as const;

interface DecisionListOptions {
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
    .action(async ({ account: account_id, job: job_id, verdict, limit, cursor }: DecisionListOptions) => {
      const filter = given({ account_id, job_id, verdict, limit, cursor });
      print(tabulate(await stack.request(moderationAdminRpc.listDecisions, filter), DECISION_COLUMNS));
    });
  decision
    .command('show <decision-id>')
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

const STRIKE_COLUMNS = [
  'strike_id',
  'account_id',
  'job_id',
  'decision_id',
  'created_at',
  'lifted_at',
  'lift_reason',
] as const;

interface StrikeListOptions {
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
    .action(async ({ account: account_id, limit, cursor }: StrikeListOptions) => {
      const request = given({ account_id, limit, cursor });
      print(tabulate(await stack.request(moderationAdminRpc.listStrikes, request), STRIKE_COLUMNS));
    });
  strike
    .command('lift <strike-id>')
    .description('lift a strike: it stays on record and no longer counts')
    .requiredOption('--reason <text>', 'why; stored with the strike')
    .action(async (strike_id: string, { reason }: { reason: string }) => {
      print(describe(await stack.requestAsOperator(moderationAdminRpc.liftStrike, { strike_id, reason })));
    });
}
