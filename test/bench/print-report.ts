import { type CpuPerRequest, cpuLine } from './cpu-per-request';
import { type DispatchLatency, BACKLOG_JOBS } from './dispatch-latency';
import { type Goal, goalsTable, textTable } from './goals';
import type { HotAccount } from './hot-account';
import { sumOf } from './idle-memory';
import type { Measured, Measurement } from './rounds';

export interface Report {
  measured: Measured;
  /** Start from an existing data folder. */
  bootMs: number;
  /** From accept to submit, where a slot is free. */
  dispatchLatency: DispatchLatency;
  /** By kind of request. */
  cpuMs: Record<string, CpuPerRequest>;
  /** At idle, by process. */
  memoryMb: Record<string, number>;
  hotAccount: HotAccount;
}

/** Names of the floors of one statement, by load generator. */
export const CREATE_FLOORS = {
  pgbench: 'floor: accept as one statement, pgbench',
  node: 'floor: accept as one statement, from Node',
};
export const GET_FLOORS = {
  pgbench: 'floor: get by key, pgbench',
  node: 'floor: get by key, from Node',
};

/** Prints the figures of one run on one machine; only the ratios can be compared with other machines. */
export function printReport(report: Report): void {
  const { measured, cpuMs, memoryMb } = report;
  const rows = Object.entries(measured).map(([name, { perSecond, p50Ms, p99Ms, rounds }]) => [
    name,
    ...[perSecond, p50Ms, p99Ms],
    rounds.map(Math.round).join(' '),
  ]);
  console.log(textTable(['medians of the rounds', 'per second', 'p50 ms', 'p99 ms', 'per second in each'], rows));
  console.log(`\n${goalsTable(goalsOf(report))}`);
  console.log(`\nFloors are measured ${floorOf(measured, CREATE_FLOORS).by}.\n`);
  const memory = [...Object.entries(memoryMb), ['all services', sumOf(memoryMb)]];
  console.log(textTable(['idle', 'resident MB'], memory));
  console.log();
  for (const [what, byProcess] of Object.entries(cpuMs)) console.log(cpuLine(what, byProcess));
}

function goalsOf({ measured, bootMs, dispatchLatency, memoryMb, hotAccount }: Report): Goal[] {
  const [createFloor, getFloor] = [floorOf(measured, CREATE_FLOORS), floorOf(measured, GET_FLOORS)];
  const [creates, gets] = [measurementOf(measured, 'accepted jobs'), measurementOf(measured, 'GET /jobs/{id}')];
  const single = measurementOf(measured, 'accepted jobs, one connection');
  const hot = (clients: number): number =>
    measurementOf(measured, `accepted jobs, one account, ${clients} at once`).perSecond;
  return [
    {
      what: 'accepted jobs/s, 32 connections',
      wanted: { atLeast: 0.3 },
      measured: creates.perSecond / createFloor.perSecond,
      unit: `× ${createFloor.name}`,
    },
    { what: 'accept, 1 connection, p50', wanted: { atMost: 3.5 }, measured: single.p50Ms, unit: 'ms' },
    { what: 'accept, 1 connection, p99', wanted: { atMost: 15 }, measured: single.p99Ms, unit: 'ms' },
    { what: 'accept, 32 connections, p99', wanted: { atMost: 40 }, measured: creates.p99Ms, unit: 'ms' },
    {
      what: 'GET /jobs/{id}/s, 32 connections',
      wanted: { atLeast: 0.15 },
      measured: gets.perSecond / getFloor.perSecond,
      unit: `× ${getFloor.name}`,
    },
    { what: 'one account, accepted jobs/s, 64 at once', wanted: { atLeast: 1_000 }, measured: hot(64), unit: '/s' },
    {
      what: 'one account, 64 at once against 16',
      wanted: { atLeast: 1 },
      measured: hot(64) / hot(16),
      unit: '×',
    },
    {
      what: 'one account, half of it unpaid, decisions/s',
      wanted: { atLeast: 1_000 },
      measured: hotAccount.decisionsPerSecond,
      unit: '/s',
    },
    {
      what: 'the same, accepted too many or too few',
      wanted: { atMost: 0 },
      measured: hotAccount.inexactBy,
      unit: 'jobs',
    },
    {
      what: 'accept to submit, slot free, p99',
      wanted: { atMost: 10 },
      measured: dispatchLatency.alone.p99Ms,
      unit: 'ms',
    },
    {
      what: `accept to submit, slot free, ${BACKLOG_JOBS.toLocaleString('en')} queued jobs, p99`,
      wanted: { atMost: 10 },
      measured: dispatchLatency.behindBacklog.p99Ms,
      unit: 'ms',
    },
    { what: 'idle memory, all services', wanted: { atMost: 700 }, measured: sumOf(memoryMb), unit: 'MB' },
    { what: 'boot from a warm data folder', wanted: { atMost: 10 }, measured: bootMs / 1_000, unit: 's' },
  ];
}

/** The figure of pgbench where it is installed; otherwise that of the same statement from Node, which is lower. */
function floorOf(
  measured: Measured,
  floors: { pgbench: string; node: string },
): { name: string; by: string; perSecond: number } {
  const pgbench = measured[floors.pgbench];
  return pgbench
    ? { name: 'pgbench', by: 'by pgbench, prepared, 32 clients', perSecond: pgbench.perSecond }
    : {
        name: 'SQL from Node',
        by: 'from Node, since there is no pgbench (apt-get install postgresql)',
        perSecond: measurementOf(measured, floors.node).perSecond,
      };
}

function measurementOf(measured: Measured, name: string): Measurement {
  const measurement = measured[name];
  if (!measurement) throw new Error(`There is no measurement of "${name}".`);
  return measurement;
}
