import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** A run that takes longer hangs. */
const TIMEOUT_MS = 15 * 60_000;

interface Report {
  testResults: { name: string; assertionResults: { status: string }[] }[];
}

export interface SpecsRun {
  failed: string[];
  /** The specs without a test that ran: missing, not compiled, or stopped after the time limit. */
  notRun: string[];
  output: string;
}

/** Runs spec files of a folder in one jest process, against servers that run already. Those of whole stacks run a build of the folder. */
export async function runSpecs(folder: string, specs: string[], workers: number): Promise<SpecsRun> {
  if (specs.some((spec) => spec.endsWith('.e2e-spec.ts')))
    await promisify(execFile)(process.execPath, ['deploy/build/build.mjs'], { cwd: folder });
  const report = path.join(folder, 'report.json');
  const jest = [
    'node_modules/jest/bin/jest.js',
    '-c',
    'test/jest.config.cjs',
    '--ci',
    '--forceExit',
    '-w',
    `${workers}`,
  ];
  const args = [...jest, '--json', '--outputFile', report, '--runTestsByPath', ...specs];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  await once(child, 'close');
  clearTimeout(timer);
  const outcome = await outcomeOf(folder, report, specs);
  await rm(report, { force: true });
  return { ...outcome, output };
}

async function outcomeOf(
  folder: string,
  report: string,
  specs: string[],
): Promise<Pick<SpecsRun, 'failed' | 'notRun'>> {
  const { testResults } = await readFile(report, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => ({ testResults: [] }),
  );
  const tests = new Map(
    testResults.map(({ name, assertionResults }) => [path.relative(folder, name), assertionResults]),
  );
  return {
    failed: specs.filter((spec) => tests.get(spec)?.some(({ status }) => status === 'failed')),
    notRun: specs.filter((spec) => !tests.get(spec)?.length),
  };
}
