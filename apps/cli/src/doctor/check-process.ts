import type { StackProcess } from '../stack/find-stack';
import { type CheckResult, inOrder, runCheck } from './check';
import type { Examination } from './examination';

const PROBE_TIMEOUT_MS = 3_000;

/**
 * Whether the processes of the stack run and report themselves as ready. None are known if only the broker's address is
 * given.
 */
export async function* checkProcesses(examination: Examination): AsyncGenerator<CheckResult> {
  const processes = Object.entries(examination.stack.processes);
  yield* inOrder(processes.map(([name, each]) => checkProcess(name, each, examination)));
}

function checkProcess(name: string, { pid, health_url }: StackProcess, examination: Examination): Promise<CheckResult> {
  return runCheck(`process ${name}`, examination.remedyFor(name), async () => {
    if (!isAlive(pid)) throw new Error(`No process ${pid} exists.`);
    const response = await fetch(health_url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(() => null);
    if (!response) throw new Error(`Process ${pid} is alive but does not answer at ${health_url}.`);
    if (!response.ok) throw new Error(`Process ${pid} is not ready: ${await response.text()}`);
    return `process ${pid} is ready`;
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
