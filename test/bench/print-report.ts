import type { CpuPerRequest } from './cpu-per-request';
import type { DispatchLatency } from './dispatch-latency';
import type { Measured } from './load';

export interface Report {
  measured: Measured;
  bootMs: number;
  /** From accept to submit, by what else is in line. */
  dispatchLatency: Record<string, DispatchLatency>;
  /** By what was asked for. */
  cpuMs: Record<string, CpuPerRequest>;
  memoryMb: (readonly [string, number | null])[];
}

/** What is held against which floor. */
const RATIOS = [
  ['accepted jobs', 'floor: accept as one statement'],
  ['accepted jobs', 'floor: bare Fastify JSON POST'],
  ['accepted jobs, one account, 16 at once', 'floor: accept as one statement'],
  ['accepted jobs, one account, 64 at once', 'accepted jobs, one account, 4 at once'],
  ['accepted jobs, one account, 64 at once', 'accepted jobs, one account, 16 at once'],
  ['GET /jobs/{id}', 'floor: get by key as one statement'],
  ['GET /jobs/{id}', 'floor: bare Fastify JSON POST'],
  ['GET /jobs/{id}', 'floor: bare NATS request-reply'],
] as const;

/** Figures of one run on one machine; only the ratios mean something elsewhere. */
export function printReport({ measured, bootMs, dispatchLatency, cpuMs, memoryMb }: Report): void {
  console.table(
    Object.fromEntries(
      Object.entries(measured).map(([name, { perSecond, p50Ms, p99Ms }]) => [
        name,
        { 'per second': Math.round(perSecond), 'p50 ms': round(p50Ms), 'p99 ms': round(p99Ms) },
      ]),
    ),
  );
  console.table(
    RATIOS.map(([what, floor]) => ({
      what,
      floor,
      ratio: round((measured[what]?.perSecond ?? 0) / (measured[floor]?.perSecond ?? Number.NaN)),
    })),
  );
  console.table(Object.fromEntries(memoryMb.map(([name, megabytes]) => [name, { 'resident MB': megabytes }])));
  for (const [what, byProcess] of Object.entries(cpuMs)) console.log(cpuLine(what, byProcess));
  for (const [line, { p50Ms, p99Ms }] of Object.entries(dispatchLatency))
    console.log(`accept to submit, ${line}: p50 ${round(p50Ms)} ms, p99 ${round(p99Ms)} ms`);
  console.log(`boot to ready: ${round(bootMs / 1_000)} s`);
}

/** What bounds the rate: two cores have 2,000 ms a second to give. */
export function cpuLine(what: string, byProcess: CpuPerRequest): string {
  const sumMs = Object.values(byProcess).reduce((sum, ms) => sum + ms, 0);
  const parts = Object.entries(byProcess)
    .sort(([, one], [, other]) => other - one)
    .map(([name, ms]) => `${name} ${round(ms)}`);
  return `CPU ms per ${what}: ${parts.join(', ')}; sum ${round(sumMs)}, on two cores at most ${Math.round(2_000 / sumMs)}/s`;
}

function round(figure: number): number {
  return Math.round(figure * 100) / 100;
}
