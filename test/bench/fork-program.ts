import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Starts a Node program that ends with this process, and waits for its first message. @throws if the program ends before that.
 */
export async function forkProgram<Told>(
  file: string,
  args: string[] = [],
  options: ForkOptions = {},
): Promise<{ program: ChildProcess; received: Told }> {
  const program = fork(file, args, options);
  const over = new AbortController();
  const ended = once(program, 'exit', { signal: over.signal }).then(() => {
    throw new Error(`${file} ended before it sent its first message.`);
  });
  // After the first message, the end of the program is no error.
  ended.catch(() => undefined);
  try {
    const [received] = (await Promise.race([once(program, 'message'), ended])) as [Told];
    return { program, received };
  } finally {
    over.abort();
  }
}
