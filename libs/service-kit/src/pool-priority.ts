import { pbkdf2 } from 'node:crypto';
import { readdirSync } from 'node:fs';
import os from 'node:os';

/** CPU time goes to threads of priority 0 nine times as often: the event loop, PostgreSQL and the broker. */
const NICENESS = 10;

/**
 * Lowers the priority of libuv's thread pool, which decodes and encodes images: a machine that is busy with them still answers
 * small requests. Threads that libvips starts inherit the priority. It must run before anything else uses the pool.
 */
export function lowerPoolPriority(): void {
  // Only on Linux does a priority belong to the thread.
  if (process.platform !== 'linux') return;
  const before = new Set(listThreads());
  // The first piece of work starts all threads of the pool, and waits until they run.
  pbkdf2('', '', 1, 1, 'sha256', () => undefined);
  for (const thread of listThreads().filter((id) => !before.has(id))) lowerPriority(thread);
}

function listThreads(): number[] {
  return readdirSync('/proc/self/task').map(Number);
}

function lowerPriority(thread: number): void {
  try {
    if (os.getPriority(thread) < NICENESS) os.setPriority(thread, NICENESS);
  } catch {
    // A system that does not allow it has its images decoded all the same.
  }
}
