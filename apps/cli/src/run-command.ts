import { ApiError } from '@kinora/contracts/shared/errors';
import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './account/account.commands';
import type { AddCommands, CommandContext } from './command-context';
import { addDoctorCommand } from './doctor/doctor.command';
import { addHoldsCommands } from './holds/holds.commands';
import { addJobCommands } from './job/job.commands';
import { addKeyCommands } from './key/key.commands';
import { addLedgerCommands } from './ledger/ledger.commands';
import { addListenCommand } from './listen/listen.command';
import { addOperatorCommands } from './operator/operator.commands';
import { addQuoteCommands } from './quote/quote.commands';
import { addReceiptCommands } from './receipt/receipt.commands';
import { addModelCommands } from './model/model.commands';
import { addDecisionCommands } from './moderation/decision.commands';
import { addStrikeCommands } from './moderation/strike.commands';
import { nameFlag } from './name-flag';
import type { Report } from './output/report';
import { putFlagsLast } from './put-flags-last';
import { UsageError } from './usage-error';
import { addWebhookCommands } from './webhook/webhook.commands';

const GROUPS: AddCommands[] = [
  addAccountCommands,
  addKeyCommands,
  addModelCommands,
  addJobCommands,
  addQuoteCommands,
  addReceiptCommands,
  addLedgerCommands,
  addHoldsCommands,
  addStrikeCommands,
  addDecisionCommands,
  addWebhookCommands,
  addOperatorCommands,
  addListenCommand,
  addDoctorCommand,
];

/**
 * Finds the command by its words, and runs it. @throws UsageError if no such command exists, or an argument is missing.
 */
export async function runCommand(
  argv: string[],
  { stack, printNotice, show }: Omit<CommandContext, 'print'>,
): Promise<Report> {
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
  for (const addCommands of GROUPS)
    addCommands(program, { stack, printNotice, show, print: (report) => reports.push(report) });
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
