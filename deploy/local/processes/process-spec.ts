/** Everything that is needed to start a program. */
export interface Command {
  /** The name of the process in messages and file names. */
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
  stopSignal: NodeJS.Signals;
  user?: { uid: number; gid: number };
  /** Files and folders whose descriptors the process inherits; it opens them by `inheritedPath`. */
  inherited?: string[];
}

/** A long-running process that can be restarted in the same way. */
export interface ProcessSpec extends Command {
  /** Whether the process with this id is ready. */
  isReady(pid: number): Promise<boolean>;
}

const FIRST_INHERITED_FD = 3;

/**
 * The other user may own a file but not reach it, because a parent folder (root's home, a private temporary folder) is closed.
 * An inherited descriptor needs no permission on the parent folders.
 */
export function inheritedPath(index: number): string {
  return `/proc/self/fd/${FIRST_INHERITED_FD + index}`;
}
