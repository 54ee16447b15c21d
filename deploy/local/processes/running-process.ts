import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Command } from './process-spec';

let canTie: boolean | undefined;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that was started here; it is one of ours until `exited` settles. */
export class RunningProcess {
  readonly exited: Promise<Exit>;

  private constructor(
    readonly pid: number,
    private readonly child: ChildProcess,
    private readonly stopSignal: NodeJS.Signals,
  ) {
    this.exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  }

  /** Rejects when the program cannot be run at all. */
  static async start(spec: Command): Promise<RunningProcess> {
    const [command, args] = tieToThisProcess(spec.command, spec.args, spec.stopSignal);
    const log = openSync(spec.logFile, 'a', 0o600);
    const inherited = (spec.inherited ?? []).map((file) => openSync(file, 'r'));
    try {
      const child = spawn(command, args, {
        // Another user may not be allowed to stand where we do.
        cwd: spec.user ? '/' : process.cwd(),
        env: spec.env,
        stdio: ['ignore', log, log, ...inherited],
        // Ctrl-C reaches every process of the terminal's group. Ours must stop in order, so each has a group of its own.
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

  /** Asks the process to end in good order, and ends it when that takes too long, even a stopped one. */
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
 * Asks the kernel, where it can do that, to send the signal to the command when this process dies without a chance to
 * stop it (`kill -9`). `setpriv` becomes the command, so the process id is the command's own.
 */
function tieToThisProcess(command: string, args: string[], signal: NodeJS.Signals): [string, string[]] {
  canTie ??= spawnSync('setpriv', ['--pdeathsig', 'keep', 'true']).status === 0;
  return canTie ? ['setpriv', ['--pdeathsig', signal.replace('SIG', ''), '--', command, ...args]] : [command, args];
}
