import { parseNatsUrl } from '@kinora/bus/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import type { StackClient } from '../stack/stack-client';
import { type Check, check, formatChecks } from './check';
import { checkCompute } from './check-compute';
import { checkContexts } from './check-contexts';
import { checkProcess } from './check-process';

/** Looks at everything that must work, and says what does not. */
export function addDoctorCommand(program: Command, { stack, print }: CommandContext): void {
  program
    .command('doctor')
    .description('look at everything that must work; exits 1 if something does not')
    .action(async () => {
      const checks = await examine(stack);
      const ok = checks.every((each) => each.ok);
      print({ value: { ok, checks }, text: formatChecks(checks), failed: !ok });
    });
}

async function examine(stack: StackClient): Promise<Check[]> {
  const found = await check('stack', async () => `found at ${parseNatsUrl(stack.find().nats_url).servers.join(', ')}`);
  if (!found.ok) return [found];
  const processes = Object.entries(stack.find().processes);
  const alive = await Promise.all(processes.map(([name, each]) => checkProcess(name, each)));
  const broker = await check('nats', async () => {
    await stack.connect();
    return 'answers';
  });
  return [
    found,
    ...alive,
    broker,
    ...(broker.ok ? await checkContexts(stack) : []),
    ...(broker.ok ? await checkCompute(stack) : []),
  ];
}
