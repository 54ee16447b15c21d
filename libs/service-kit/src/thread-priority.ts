import os from 'node:os';

/** Threads of priority 0 (event loop, PostgreSQL, broker) get nine times as much CPU time as one of this priority. */
const NICENESS = 10;
/** The kernel's id for the calling thread. */
const THIS_THREAD = 0;

/** Lowers the priority of a thread of this process; by default of the calling thread. */
export function lowerThreadPriority(thread = THIS_THREAD): void {
  // Only Linux has a priority per thread.
  if (process.platform !== 'linux') return;
  try {
    if (os.getPriority(thread) < NICENESS) os.setPriority(thread, NICENESS);
  } catch {
    // If the system does not permit it, the work runs at normal priority.
  }
}
