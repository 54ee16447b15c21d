import path from 'node:path';
import { explainFullDisk } from './disk-space';
import { type LauncherOptions, runLocalStack } from './launcher';
import { readLocalStackSettings } from './local-stack.config';
import { StartProblem } from './start-problem';

/** What the stack of this process adds to the ordinary one. */
export type Additions = (options: Omit<LauncherOptions, 'development'>) => NonNullable<LauncherOptions['development']>;

/** Runs the stack as the whole of this process: signals stop it, and its end is the process's. */
export async function launcherProgram(development?: Additions): Promise<never> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  // A terminal that went away must not keep us from stopping in good order.
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

/** A problem that the user can mend is one line; anything else is a fault of the program, and its stack trace says where. */
function explain(error: unknown): string {
  if (error instanceof StartProblem) return error.message;
  const fullDisk = explainFullDisk(error);
  if (fullDisk !== null) return fullDisk;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
