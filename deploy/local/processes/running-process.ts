import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Command } from './process-spec';

let canTie: boolean | undefined;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that was started here; it counts as running until `exited` settles. */
export class RunningProcess {
  readonly exited: Promise<Exit>;

  private constructor(
    readonly pid: number,
    private readonly child: ChildProcess,
    private readonly stopSignal: NodeJS.Signals,
  ) {
    this.exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  }

  /** Rejects if the program cannot be run at all. */
  static async start(spec: Command): Promise<RunningProcess> {
    const [command, args] = tieToThisProcess(spec.command, spec.args, spec.stopSignal);
    const log = openSync(spec.logFile, 'a', 0o600);
    const inherited = (spec.inherited ?? []).map((file) => openSync(file, 'r'));
    try {
      const child = spawn(command, args, {
        // Another user may have no access to the current folder.
        cwd: spec.user ? '/' : process.cwd(),
        env: spec.env,
        stdio: ['ignore', log, log, ...inherited],
        // Ctrl-C reaches every process of the terminal's process group. The stack stops its processes in order, so each one has
        // its own group.
        detached: true,
        ...spec.user,
      });
      await once(child, 'spawn');
      return new RunningProcess(child.pid as number, child, spec.stopSignal);
    } finally {
      for (const descriptor of [log, ...inherited]) closeSync(descriptor);
    }
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Sends the process the signal for an orderly stop, and kills it after the time limit, even if it is stopped (SIGSTOP). */
  async stop(graceMs: number): Promise<Exit> {
    this.child.kill(this.stopSignal);
    const impatience = setTimeout(() => this.child.kill('SIGKILL'), graceMs);
    try {
      return await this.exited;
    } finally {
      clearTimeout(impatience);
    }
  }
}

/**
 * If the kernel supports it, the command gets a signal when this process is killed (`kill -9`). `setpriv` replaces itself by
 * the command, so the process id is that of the command.
 */
function tieToThisProcess(command: string, args: string[], signal: NodeJS.Signals): [string, string[]] {
  canTie ??= spawnSync('setpriv', ['--pdeathsig', 'keep', 'true']).status === 0;
  return canTie ? ['setpriv', ['--pdeathsig', signal.replace('SIG', ''), '--', command, ...args]] : [command, args];
}
