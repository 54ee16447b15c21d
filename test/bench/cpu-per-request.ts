import os from 'node:os';
import type { Stack } from '../../deploy/local/stack-file';
import { repeat } from './load';
import { cpuMsByName } from './process-cpu';
import { figure } from './goals';

/** Milliseconds of processor time that one request costs each process. */
export type CpuPerRequest = Record<string, number>;

const CLIENTS = 16;
/** V8 compiles until then: the first 4,000 texts cost moderation about 150 µs each, later ones 25. */
const WARM_UP = 6_000;
const REQUESTS = 1_500;

/**
 * Other load on the machine hardly changes the processor time of a request, unlike the rate. The rate cannot exceed cores /
 * sum.
 */
export async function measureCpuPerRequest(stack: Stack, work: () => Promise<unknown>): Promise<CpuPerRequest> {
  await repeat({ clients: CLIENTS, times: WARM_UP, work });
  const before = await readCpuMs(stack);
  await repeat({ clients: CLIENTS, times: REQUESTS, work });
  return costOfEach(REQUESTS, before, await readCpuMs(stack));
}

/** The processor time of each request between two readings. */
export function costOfEach(requests: number, before: Map<string, number>, after: Map<string, number>): CpuPerRequest {
  return Object.fromEntries([...after].map(([name, cpuMs]) => [name, (cpuMs - (before.get(name) ?? 0)) / requests]));
}

/** The stack's processes by name, and this process. */
export async function readCpuMs({ pid, processes }: Stack): Promise<Map<string, number>> {
  const names = new Map(Object.entries(processes).map(([name, process]) => [process.pid, name]));
  const { user, system } = process.cpuUsage();
  return (await cpuMsByName(pid, names)).set('load generator', (user + system) / 1_000);
}

/** Sorted by cost, with the highest possible rate: each core has 1,000 ms a second. */
export function cpuLine(what: string, byProcess: CpuPerRequest): string {
  const cores = os.availableParallelism();
  const sumMs = Object.values(byProcess).reduce((sum, ms) => sum + ms, 0);
  const parts = Object.entries(byProcess)
    .filter(([, ms]) => figure(ms) !== '0')
    .sort(([, one], [, other]) => other - one)
    .map(([name, ms]) => `${name} ${figure(ms)}`);
  const most = figure((cores * 1_000) / sumMs);
  return `CPU ms per ${what}: ${parts.join(', ')}; sum ${figure(sumMs)}, on ${cores} cores at most ${most}/s`;
}
