import { availableParallelism } from 'node:os';
import { MachineSemaphore } from './machine-semaphore';

const NAME = 'kinora-background';
const PERMITS = Math.max(1, availableParallelism() - 1);

/**
 * For work that keeps a core busy for a tenth of a second. All of it leaves one core of the machine to the rest. Otherwise each
 * event loop and database connection that wakes up would wait until the scheduler preempts such work, and a creation wakes
 * about twenty of them in turn.
 */
export const BACKGROUND_PERMITS = new MachineSemaphore(NAME, PERMITS);

/** The same permits for work that no client waits for. */
export const SPARE_BACKGROUND_PERMITS = new MachineSemaphore(NAME, PERMITS, { isPatient: true });
