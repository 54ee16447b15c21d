// Runs the packed TypeScript client on other runtimes against a local stack: `npm run test:client-runtimes [-- node-22 …]`.
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { ClientProject, RunningProgram } from '../support/packed-client';
import { NotAvailable, RUNTIMES, type Runtime, install } from './runtimes';

const EXIT = { failed: 1, notRun: 2 };

async function main(names: string[]): Promise<void> {
  const known = RUNTIMES.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. There are ${known.join(', ')}.`);
  const chosen = RUNTIMES.filter(({ name }) => names.length === 0 || names.includes(name));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-runtimes-'));
  try {
    const programs: [Runtime, string][] = [];
    for (const runtime of chosen) {
      const program = await install(runtime, folder).catch(report);
      if (program !== undefined) programs.push([runtime, program]);
    }
    if (programs.length > 0) await runAll(programs);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function report(error: unknown): void {
  if (!(error instanceof NotAvailable)) throw error;
  process.exitCode ??= EXIT.notRun;
  console.error(error.message);
}

async function runAll(programs: [Runtime, string][]): Promise<void> {
  const [stack, project] = await Promise.all([LocalStack.start(), ClientProject.create()]);
  try {
    for (const [runtime, program] of programs) await runOne(stack, project, runtime, program);
  } finally {
    await project.remove();
    await stack.stop();
  }
}

async function runOne(
  stack: LocalStack,
  project: ClientProject,
  { name, args }: Runtime,
  program: string,
): Promise<void> {
  const { apiKey } = await openAccount(stack);
  const cwd = path.dirname(await project.write(`${name}/empty`, ''));
  await copyFile(path.join(__dirname, 'smoke.mjs'), path.join(cwd, 'smoke.mjs'));
  const { base_url } = await stack.describe();
  const env = { KINORA_API_KEY: apiKey, KINORA_BASE_URL: base_url, DENO_NO_UPDATE_CHECK: '1', DENO_DIR: cwd };
  const smoke = new RunningProgram(program, [...args, 'smoke.mjs'], { cwd, env });
  const output = await smoke.succeeded().catch((error: Error) => {
    process.exitCode = EXIT.failed;
    return `FAILED\n${error.message}`;
  });
  console.log(`${name.padEnd(8)} ${output.trim()}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.exitCode = EXIT.failed;
  console.error(error);
});
