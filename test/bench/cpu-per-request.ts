import type { Stack } from '../../deploy/local/stack-file';
import { cpuMsByName } from './process-cpu';

/** Milliseconds of processor time that one request costs each process. */
export type CpuPerRequest = Record<string, number>;

const LANES = 16;
const WARM_UP = 500;
const REQUESTS = 1_500;

/** Unlike a rate, what a request costs hardly changes with what else the machine does; the rate cannot exceed cores / sum. */
export async function measureCpuPerRequest(stack: Stack, work: () => Promise<unknown>): Promise<CpuPerRequest> {
  await repeat(work, WARM_UP);
  const before = await readCpuMs(stack);
  await repeat(work, REQUESTS);
  const after = await readCpuMs(stack);
  return Object.fromEntries([...after].map(([name, cpuMs]) => [name, (cpuMs - (before.get(name) ?? 0)) / REQUESTS]));
}

async function repeat(work: () => Promise<unknown>, times: number): Promise<void> {
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun++ < times) await work();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Of the stack's processes by name, and of this one. */
export async function readCpuMs({ pid, processes }: Stack): Promise<Map<string, number>> {
  const names = new Map(Object.entries(processes).map(([name, process]) => [process.pid, name]));
  const { user, system } = process.cpuUsage();
  return (await cpuMsByName(pid, names)).set('load generator', (user + system) / 1_000);
}
