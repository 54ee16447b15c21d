import { randomBytes } from 'node:crypto';
import { Command, CommanderError } from 'commander';
import { ApiError } from '@kinora/contracts/shared/errors';
import { deadlineIn, runInCall } from '@kinora/bus/client';
import { type Clock, SYSTEM_CLOCK } from '@kinora/service-kit/without-nest';
import { addAccountCommands } from './account/account.commands';
import { nameFlag, putFlagsLast } from './arguments';
import type { AddCommands, CommandContext } from './command-context';
import { addDoctorCommand } from './doctor/doctor.command';
import { addJobCommands, addQuoteCommands } from './job/job.commands';
import { addKeyCommands } from './key/key.commands';
import { addHoldsCommands, addLedgerCommands } from './ledger/ledger.commands';
import { addListenCommand } from './listen/listen.command';
import { addModelCommands } from './model/model.commands';
import { addAppealCommands } from './moderation/appeal.commands';
import { addComplianceCommand } from './moderation/compliance.command';
import { addModerationCommand } from './moderation/evaluate.command';
import { addDecisionCommands, addStrikeCommands } from './moderation/moderation.commands';
import { addOperatorCommands } from './operator/operator.commands';
import { explainError, toApiError, toErrorEnvelope, UsageError } from './output/error-envelope';
import type { Report } from './output/report';
import { addRetentionCommand } from './retention.command';
import { addPriceCommands } from './price/price.commands';
import { addProvenanceCommands } from './provenance/provenance.commands';
import { addReceiptCommands } from './receipt/receipt.commands';
import { StackClient } from './stack/stack-client';
import { addUserCommands } from './user/user.commands';
import { addWebhookCommands } from './webhook/webhook.commands';

const GROUPS: AddCommands[] = [
  addAccountCommands,
  addUserCommands,
  addKeyCommands,
  addModelCommands,
  addPriceCommands,
  addJobCommands,
  addQuoteCommands,
  addReceiptCommands,
  addProvenanceCommands,
  addLedgerCommands,
  addHoldsCommands,
  addStrikeCommands,
  addDecisionCommands,
  addAppealCommands,
  addComplianceCommand,
  addRetentionCommand,
  addModerationCommand,
  addWebhookCommands,
  addOperatorCommands,
  addListenCommand,
  addDoctorCommand,
];

/**
 * Finds the command by its words, and runs it. @throws UsageError if no such command exists, or an argument is missing.
 */
export async function runCommand(argv: string[], context: Omit<CommandContext, 'print'>): Promise<Report> {
  const reports: Report[] = [];
  let complaint = '';
  let running: Command | undefined;
  const program = new Command('kinora')
    .description("The operator's command for a running Kinora stack.")
    .option('--json', 'print one JSON value and nothing else')
    .exitOverride()
    .hook('preAction', (_program, command) => void (running = command))
    .configureOutput({
      writeOut: (help) => reports.push({ value: { help }, text: help.trimEnd() }),
      writeErr: (text) => (complaint += text),
    });
  for (const addCommands of GROUPS) addCommands(program, { ...context, print: (report) => reports.push(report) });
  try {
    await program.parseAsync(putFlagsLast(argv), { from: 'user' });
  } catch (error) {
    if (running && error instanceof ApiError) throw nameFlag(error, running);
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(complaint.trimEnd());
  }
  const [report] = reports;
  if (!report) throw new Error(`${argv.join(' ')} printed no report; its action must call print().`);
  return report;
}

/** What a run of the CLI takes from outside itself. */
export interface CliStreams {
  env: NodeJS.ProcessEnv;
  out: (text: string) => void;
  err: (text: string) => void;
  clock?: Clock;
}

/** Longer than a long ledger takes to verify, page by page; each request has its own, shorter limit. */
const RUN_TIMEOUT_MS = 3_600_000;

/**
 * Runs one command. With `--json`, standard output gets exactly one JSON value, also after an error.
 * @returns the exit code.
 */
export async function runCli(argv: string[], { env, out, err, clock = SYSTEM_CLOCK }: CliStreams): Promise<number> {
  const asJson = argv.includes('--json');
  const call = { requestId: `req_${randomBytes(12).toString('hex')}`, deadlineAtMs: deadlineIn(RUN_TIMEOUT_MS) };
  const stack = new StackClient(env);
  try {
    const { value, text, failed } = await runInCall(call, () =>
      runCommand(argv, { stack, clock, printNotice: err, show: asJson ? () => undefined : out }),
    );
    out(asJson ? JSON.stringify(value) : text);
    return failed === true ? 1 : 0;
  } catch (error) {
    const problem = toApiError(error);
    if (asJson) out(JSON.stringify(toErrorEnvelope(problem, call.requestId)));
    else err(explainError(problem, call.requestId));
    return 1;
  } finally {
    await stack.close();
  }
}
