import type { Measured } from './load';

export interface Report {
  measured: Measured;
  bootMs: number;
  acceptToProcessingMs: number;
  memoryMb: (readonly [string, number | null])[];
}

/** What is held against which floor. */
const RATIOS = [
  ['accepted jobs', 'floor: accept as one statement'],
  ['accepted jobs', 'floor: bare Fastify JSON POST'],
  ['accepted jobs, one account, 16 at once', 'floor: accept as one statement'],
  ['accepted jobs, one account, 64 at once', 'accepted jobs, one account, 4 at once'],
  ['accepted jobs, one account, 64 at once', 'accepted jobs, one account, 16 at once'],
  ['GET /jobs/{id}', 'floor: bare Fastify JSON POST'],
  ['GET /jobs/{id}', 'floor: bare NATS request-reply'],
] as const;

/** Figures of one run on one machine; only the ratios mean something elsewhere. */
export function printReport({ measured, bootMs, acceptToProcessingMs, memoryMb }: Report): void {
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
  console.log(
    `boot to ready: ${round(bootMs / 1_000)} s, accept to processing (median): ${round(acceptToProcessingMs)} ms`,
  );
}

function round(figure: number): number {
  return Math.round(figure * 100) / 100;
}
