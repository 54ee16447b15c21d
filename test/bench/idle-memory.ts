import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '../../deploy/local/stack-file';

/** Resident memory of a process in MB, from Linux's `/proc`; null on other systems. */
export async function residentMemoryMb(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
}

/** By then V8 has collected the garbage of the start, as far as it does without load. */
const SETTLED_AFTER_MS = 8_000;

/** Resident memory of each process of the stack without requests. */
export async function measureIdleMemory({ processes }: Stack): Promise<Record<string, number>> {
  await delay(SETTLED_AFTER_MS);
  return readMemory(processes);
}

export async function readMemory(processes: Stack['processes']): Promise<Record<string, number>> {
  const figures = await Promise.all(
    Object.entries(processes).map(async ([name, { pid }]) => [name, (await residentMemoryMb(pid)) ?? Number.NaN]),
  );
  return Object.fromEntries(figures) as Record<string, number>;
}

/** Sum over all services. */
export function sumOf(memoryMb: Record<string, number>): number {
  return Object.values(memoryMb).reduce((sum, megabytes) => sum + megabytes, 0);
}
