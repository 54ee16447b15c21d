// Runs the Python packages openai and litellm against a local stack: `npm run test:python-clients [-- SCENARIO…]`.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { waitUntil } from '../../deploy/local/wait-until';
import type { Job } from '../../libs/contracts/src/jobs/job';
import type { ApiClient } from '../support/api-client';
import { CuttingProxy } from '../support/cutting-proxy';
import { LocalStack } from '../support/local-stack';
import { openAccount, verifyLedger } from '../support/operator';
import { MissingPrerequisite, PythonEnvironment } from './python-environment';

/** Jobs that an account has after a scenario: those that have succeeded, which are paid, and those that have failed. */
interface Expected {
  succeeded: number;
  failed?: number;
  /** Whether the first connection of each call is cut after its request was sent. */
  isCut?: boolean;
}

const SCENARIOS: Record<string, Expected> = {
  openai_generates: { succeeded: 3 },
  openai_generates_asynchronously: { succeeded: 2 },
  openai_streams: { succeeded: 1 },
  openai_reports_errors: { succeeded: 0, failed: 1 },
  openai_repeats_after_timeouts: { succeeded: 1 },
  openai_repeats_after_cuts: { succeeded: 50, isCut: true },
  openai_edits: { succeeded: 2 },
  openai_makes_videos: { succeeded: 1 },
  litellm_generates: { succeeded: 3 },
  litellm_reports_errors: { succeeded: 0 },
  litellm_repeats_after_cuts: { succeeded: 5, isCut: true },
  litellm_edits: { succeeded: 1 },
  litellm_makes_videos: { succeeded: 1 },
};
const EXIT = { failed: 1, notRun: 2 };
const SETTLED_WITHIN_MS = 30_000;

async function main(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(SCENARIOS, name));
  if (unknown.length > 0)
    throw new Error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(SCENARIOS).join(', ')}.`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-python-'));
  try {
    const python = await PythonEnvironment.create(folder);
    const stack = await LocalStack.start();
    try {
      const chosen = Object.entries(SCENARIOS).filter(([name]) => names.length === 0 || names.includes(name));
      await runAll(stack, python, chosen);
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runAll(stack: LocalStack, python: PythonEnvironment, chosen: [string, Expected][]): Promise<void> {
  const proxy = await CuttingProxy.start((await stack.describe()).base_url);
  try {
    for (const [name, expected] of chosen) {
      const problem = await runOne(stack, python, proxy, name, expected);
      console.log(problem === null ? `passed  ${name}` : `FAILED  ${name}\n${problem}`);
      if (problem !== null) process.exitCode = EXIT.failed;
    }
    const ledger = await verifyLedger(stack);
    console.log(ledger.ok ? 'passed  the ledger' : `FAILED  the ledger\n${JSON.stringify(ledger.violations)}`);
    if (!ledger.ok) process.exitCode = EXIT.failed;
  } finally {
    await proxy.close();
  }
}

/** @returns null, or what went wrong. */
async function runOne(
  stack: LocalStack,
  python: PythonEnvironment,
  proxy: CuttingProxy,
  name: string,
  expected: Expected,
): Promise<string | null> {
  const { apiKey, client } = await openAccount(stack);
  const before = await client.balanceMicros();
  proxy.cuts = (headers) => expected.isCut === true && headers['x-stainless-retry-count'] === '0';
  const env = { KINORA_API_KEY: apiKey, KINORA_OPENAI_URL: `${proxy.origin}/openai/v1` };
  const failure = await python.run(name, env);
  if (failure !== null) return failure;
  let found = '';
  const isSettled = async (): Promise<boolean> => {
    const jobs = await jobsOf(client);
    const charged = jobs.reduce((sum, { usage }) => sum + usage.charged_micros, 0);
    const count = (status: Job['status']): number => jobs.filter((job) => job.status === status).length;
    const paid = before - (await client.balanceMicros());
    found = `${count('succeeded')} succeeded and ${count('failed')} failed of ${jobs.length} jobs, ${paid} of ${charged} paid`;
    const isExpected = count('succeeded') === expected.succeeded && count('failed') === (expected.failed ?? 0);
    return isExpected && jobs.length === expected.succeeded + (expected.failed ?? 0) && paid === charged;
  };
  return (await waitUntil(isSettled, { timeoutMs: SETTLED_WITHIN_MS }))
    ? null
    : `Expected ${JSON.stringify(expected)}, found ${found}.`;
}

async function jobsOf(client: ApiClient): Promise<Job[]> {
  return (await client.read<{ data: Job[] }>('/jobs?limit=100')).data;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.exitCode = error instanceof MissingPrerequisite ? EXIT.notRun : EXIT.failed;
  console.error(error instanceof MissingPrerequisite ? error.message : error);
});
