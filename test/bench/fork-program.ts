import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts a program of Node beside this one, which ends with it, and waits for the first that it tells. @throws where it ends before. */
export async function forkProgram<Told>(
  file: string,
  args: string[] = [],
  options: ForkOptions = {},
): Promise<{ program: ChildProcess; received: Told }> {
  const program = fork(file, args, options);
  const over = new AbortController();
  const ended = once(program, 'exit', { signal: over.signal }).then(() => {
    throw new Error(`${file} ended before it had told anything.`);
  });
  // Once it has told something, nobody waits for its end.
  ended.catch(() => undefined);
  try {
    const [received] = (await Promise.race([once(program, 'message'), ended])) as [Told];
    return { program, received };
  } finally {
    over.abort();
  }
}
