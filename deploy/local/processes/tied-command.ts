import { spawnSync } from 'node:child_process';

let canTie: boolean | undefined;

/**
 * Asks the kernel, where it can do that, to send the signal to the command when this process dies without a chance to
 * stop it (`kill -9`). `setpriv` becomes the command, so the process id is the command's own.
 */
export function tieToThisProcess(command: string, args: string[], signal: NodeJS.Signals): [string, string[]] {
  canTie ??= spawnSync('setpriv', ['--pdeathsig', 'keep', 'true']).status === 0;
  return canTie ? ['setpriv', ['--pdeathsig', signal.replace('SIG', ''), '--', command, ...args]] : [command, args];
}
