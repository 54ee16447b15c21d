import type { StackProcess } from '../stack/find-stack';
import { type Check, check } from './check';

const PROBE_TIMEOUT_MS = 3_000;

/** Whether a process of the stack runs and calls itself ready. */
export function checkProcess(name: string, { pid, health_url }: StackProcess): Promise<Check> {
  return check(`process ${name}`, async () => {
    if (!isAlive(pid)) throw new Error(`there is no process ${pid}`);
    const response = await fetch(health_url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`process ${pid} is not ready: ${await response.text()}`);
    return `process ${pid} is ready`;
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of somebody else exists, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
