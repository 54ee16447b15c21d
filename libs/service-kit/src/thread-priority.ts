import { pbkdf2 } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';

/** Threads of priority 0 (event loop, PostgreSQL, broker) get nine times as much CPU time as one of this priority. */
const NICENESS = 10;
/** The kernel's id for the calling thread. */
const THIS_THREAD = 0;
/** Linux divides processor time between sessions first, where the kernel has autogroups. */
const SESSION_PRIORITY = '/proc/self/autogroup';
/** Without root, the kernel accepts one change in a tenth of a second from all processes together. */
const RETRY_MS = 150;
const TRIES = 20;

/** Lowers the priority of a thread of this process; by default of the calling thread. */
export function lowerThreadPriority(thread = THIS_THREAD, niceness = NICENESS): void {
  // Only Linux has a priority per thread.
  if (process.platform !== 'linux') return;
  try {
    if (os.getPriority(thread) < niceness) os.setPriority(thread, niceness);
  } catch {
    // If the system does not permit it, the work runs at normal priority.
  }
}

/** Lowers the priority of the calling thread, of the threads that it starts later, and of its session. */
export function lowerSessionPriority(niceness = NICENESS, tries = TRIES): void {
  lowerThreadPriority(THIS_THREAD, niceness);
  try {
    writeFileSync(SESSION_PRIORITY, String(niceness));
  } catch (error) {
    const isTooEarly = (error as NodeJS.ErrnoException).code === 'EAGAIN';
    // Any other error means that there are no autogroups, so that the priority of the thread is enough.
    if (isTooEarly && tries > 1) setTimeout(lowerSessionPriority, RETRY_MS, niceness, tries - 1).unref();
  }
}

/**
 * Lowers the priority of libuv's thread pool, which decodes and encodes images. A machine that is busy with images then still
 * answers small requests. Threads that libvips starts inherit the priority. It must run before anything else uses the pool.
 */
export function lowerPoolPriority(): void {
  // Other systems cannot list threads, and have no priority per thread.
  if (process.platform !== 'linux') return;
  const before = new Set(listThreads());
  // The first task starts all threads of the pool, and waits until they run.
  pbkdf2('', '', 1, 1, 'sha256', () => undefined);
  for (const thread of listThreads().filter((id) => !before.has(id))) lowerThreadPriority(thread);
}

function listThreads(): number[] {
  return readdirSync('/proc/self/task').map(Number);
}
