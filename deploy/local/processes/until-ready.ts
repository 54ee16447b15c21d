import { readFile } from 'node:fs/promises';
import { StartProblem } from '../start-problem';
import { waitUntil } from '../wait-until';
import { crashReason } from './crash-reason';
import type { Command, ProcessSpec } from './process-spec';
import type { RunningProcess } from './running-process';

const READY_WITHIN_MS = 60_000;
/** Eight processes are polled at once while they need the CPU for their own start. At 100 ms, that took a fifth of the launcher's. */
const INTERVAL_MS = 200;

/** Waits until a process is ready. If it ends first, the reason is usually in the last line of its log. */
export async function untilReady(spec: ProcessSpec, running: RunningProcess, signal?: AbortSignal): Promise<void> {
  const settled = async (): Promise<boolean> => running.hasExited || spec.isReady(running.pid);
  const inTime = await waitUntil(settled, {
    timeoutMs: READY_WITHIN_MS,
    intervalMs: INTERVAL_MS,
    ...(signal && { signal }),
  });
  if (running.hasExited) throw await startFailure(spec);
  if (!inTime) {
    throw new StartProblem(`${spec.name} was not ready after ${READY_WITHIN_MS / 1000} s; its log is ${spec.logFile}`);
  }
}

/** The message about a program that ended before its work was done. */
export async function startFailure({ name, logFile }: Command): Promise<StartProblem> {
  const reason = crashReason(await readFile(logFile, 'utf8'));
  return new StartProblem(`${name} did not start: ${reason} (its log is ${logFile})`);
}
