import { open, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const READ_EVERY_MS = 200;

/** Calls back with each line that is appended to a file from now on, until the signal aborts. */
export async function followLog(file: string, print: (line: string) => void, signal: AbortSignal): Promise<void> {
  let { size: read } = await stat(file);
  try {
    for (;;) {
      await delay(READ_EVERY_MS, undefined, { signal });
      const { size } = await stat(file);
      if (size > read) await printLines(file, { start: read, end: size - 1 }, print);
      read = size;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function printLines(
  file: string,
  range: { start: number; end: number },
  print: (line: string) => void,
): Promise<void> {
  const handle = await open(file);
  for await (const line of createInterface({ input: handle.createReadStream(range) })) print(line);
}
