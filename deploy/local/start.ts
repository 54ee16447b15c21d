import 'reflect-metadata';
import path from 'node:path';
import { explainFullDisk } from './disk-space';
import { runLocalStack } from './launcher';
import { readLocalStackSettings } from './local-stack.config';
import { StartProblem } from './start-problem';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
// A terminal that went away must not keep us from stopping in good order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

void main().then((exitCode) => process.exit(exitCode));

async function main(): Promise<number> {
  try {
    await runLocalStack({
      settings: readLocalStackSettings(process.env),
      programs: path.resolve(__dirname, '../..'),
      env: process.env,
      say: (text) => process.stdout.write(`${text}\n`),
      stop: stop.signal,
    });
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 0;
    process.stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

/** A problem that the user can mend is one line; anything else is ours, and its stack tells where. */
function explain(error: unknown): string {
  if (error instanceof StartProblem) return error.message;
  const fullDisk = explainFullDisk(error);
  if (fullDisk !== null) return fullDisk;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
