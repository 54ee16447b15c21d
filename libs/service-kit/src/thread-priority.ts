import os from 'node:os';

/** CPU time goes to threads of priority 0 nine times as often: the event loop, PostgreSQL and the broker. */
const NICENESS = 10;
/** To the kernel, the thread that asks. */
const THIS_THREAD = 0;

/** Lowers the priority of a thread of this process; left out, of the thread that calls. */
export function lowerThreadPriority(thread = THIS_THREAD): void {
  // Only on Linux does a priority belong to the thread.
  if (process.platform !== 'linux') return;
  try {
    if (os.getPriority(thread) < NICENESS) os.setPriority(thread, NICENESS);
  } catch {
    // A system that does not allow it has the work done all the same.
  }
}
