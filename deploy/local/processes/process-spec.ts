/** All that is needed to start a program. */
export interface Command {
  /** What people and files call the process. */
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Takes what the process prints. */
  logFile: string;
  /** Asks the process to end in good order. */
  stopSignal: NodeJS.Signals;
  user?: { uid: number; gid: number };
  /** Files and folders that the process inherits open; it reaches them by `inheritedPath`. */
  inherited?: string[];
}

/** A process that stays, and can be started again in the same way. */
export interface ProcessSpec extends Command {
  /** Whether the process with this id serves by now. */
  isReady(pid: number): Promise<boolean>;
}

const FIRST_INHERITED_FD = 3;

/**
 * Another user than ours may own a file and still not reach it, because a folder above it (root's home, a private
 * temporary folder) lets nobody through. An open descriptor is a way in that needs no leave from the folders above.
 */
export function inheritedPath(index: number): string {
  return `/proc/self/fd/${FIRST_INHERITED_FD + index}`;
}
