import path from 'node:path';
import { explainFullDisk } from './disk-space';
import { type LauncherOptions, runLocalStack } from './launcher';
import { readLocalStackSettings } from './local-stack.config';
import { StartProblem } from './start-problem';

/** Additions of this process to the ordinary stack. */
export type Additions = (options: Omit<LauncherOptions, 'development'>) => NonNullable<LauncherOptions['development']>;

/** Runs the stack as the main task of this process: signals stop the stack, and the process ends with it. */
export async function launcherProgram(development?: Additions): Promise<never> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  // A closed terminal must not prevent an orderly stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.exit(await run(stop.signal, development));
}

async function run(stop: AbortSignal, development?: Additions): Promise<number> {
  try {
    const options = {
      settings: readLocalStackSettings(process.env),
      programs: path.resolve(__dirname, '../..'),
      env: process.env,
      print: (text: string) => void process.stdout.write(`${text}\n`),
      stop,
    };
    await runLocalStack({ ...options, ...(development && { development: development(options) }) });
    return 0;
  } catch (error) {
    if (stop.aborted) return 0;
    process.stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

/** A problem that the user can solve is one line; any other error is a bug, shown with its stack. */
function explain(error: unknown): string {
  if (error instanceof StartProblem) return error.message;
  const fullDisk = explainFullDisk(error);
  if (fullDisk !== null) return fullDisk;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
