import { availableParallelism } from 'node:os';
import { MachineSemaphore } from './machine-semaphore';

/**
 * For work that keeps a core busy for a tenth of a second. All of it leaves one core of the machine to the rest. Otherwise each
 * event loop and database connection that wakes up would wait until the scheduler preempts such work, and a creation wakes
 * about twenty of them in turn.
 */
export const BACKGROUND_PERMITS = new MachineSemaphore('kinora-background', Math.max(1, availableParallelism() - 1));
