import { parseNatsUrl } from '@kinora/bus/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { positiveIntegerOf } from '../option-values';
import { recordCheck, type StackClient } from '../stack/stack-client';
import { type CheckGroup, type CheckResult, Examination, formatCheck, runCheck } from './check';
import { checkCompute, checkSandboxJob } from './check-jobs';
import {
  checkContexts,
  checkDisk,
  checkEngines,
  checkGateway,
  checkLedger,
  checkMail,
  checkPayments,
  checkProcesses,
} from './check-stack';

/** Add a check as a further group here. Those after the broker's send requests over it. */
const BEFORE_BROKER: CheckGroup[] = [checkDisk, checkProcesses];
const OVER_BROKER: CheckGroup[] = [
  ...[checkContexts, checkEngines, checkMail, checkLedger, checkPayments, checkGateway, checkCompute],
];

interface DoctorOptions {
  baseUrl?: string;
  withoutJob?: boolean;
  jobWithin: number;
}

/** Adds the command that checks everything the service depends on and reports what fails. */
export function addDoctorCommand(program: Command, { stack, print, show }: CommandContext): void {
  program
    .command('doctor')
    .option('--base-url <url>', 'address of the API, up to /v1; default: that of the running stack')
    .option('--without-job', 'do not try a job at the sandbox')
    .option('--job-within <seconds>', 'how long that job may take', positiveIntegerOf('--job-within'), 30)
    .description('check everything that the service depends on, each for at most 5 s; exits 1 if a check fails')
    .action(async (options: DoctorOptions) => {
      const checks: CheckResult[] = [];
      for await (const result of examine(stack, options)) {
        checks.push(result);
        show(formatCheck(result));
      }
      const failures = checks.filter((each) => !each.ok).length;
      const text =
        failures === 0 ? 'Everything that was tried works.' : `${failures} of ${checks.length} checks failed.`;
      await record(stack, checks);
      print({ value: { ok: failures === 0, checks }, text, failed: failures > 0 });
    });
}

/** Without the broker the console cannot be reached either. */
async function record(stack: StackClient, checks: CheckResult[]): Promise<void> {
  if (!checks.some(({ name, ok }) => name === 'nats' && ok)) return;
  const failed = checks.filter(({ ok }) => !ok);
  await recordCheck(stack, {
    ...({ check: 'doctor', ok: failed.length === 0, summary: `${checks.length} checks` } as const),
    problems: failed.map(({ name, detail }) => `${name}: ${detail}`),
  });
}

async function* examine(client: StackClient, options: DoctorOptions): AsyncGenerator<CheckResult> {
  const found = await runCheck('stack', { next: 'npm start' }, async () => {
    return `found at ${parseNatsUrl(client.find().nats_url).servers.join(', ')}`;
  });
  yield found;
  if (!found.ok) return;
  const stack = client.find();
  const examination = new Examination(client, stack, options.baseUrl ?? stack.base_url, options.jobWithin * 1_000);
  yield* runGroups(BEFORE_BROKER, examination);
  yield* runGroups([checkBroker], examination);
  if (!examination.results.at(-1)?.ok) return;
  yield* runGroups(options.withoutJob ? OVER_BROKER : [...OVER_BROKER, checkSandboxJob], examination);
}

async function* runGroups(groups: CheckGroup[], examination: Examination): AsyncGenerator<CheckResult> {
  for (const group of groups) {
    for await (const result of group(examination)) {
      examination.results.push(result);
      yield result;
    }
  }
}

async function* checkBroker(examination: Examination): AsyncGenerator<CheckResult> {
  yield runCheck('nats', examination.remedyFor('nats'), async () => {
    await (await examination.client.connect()).pingBroker();
    return 'answers';
  });
}
