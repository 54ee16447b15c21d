import { type CpuPerRequest, cpuLine } from './cpu-per-request';
import { type DispatchLatency, BACKLOG_JOBS } from './dispatch-latency';
import { atLeast, atMost, type Goal, goalsTable, textTable } from './goals';
import type { HotAccount } from './hot-account';
import { sumOf } from './idle-memory';
import type { Measured, Measurement } from './rounds';

export interface Report {
  measured: Measured;
  /** Start from an existing data folder. */
  bootMs: number;
  /** From accept to submit, where a slot is free. */
  dispatchLatency: DispatchLatency;
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
  const behindBacklog = `accept to submit, slot free, ${BACKLOG_JOBS.toLocaleString('en')} queued jobs, p99`;
  return [
    atLeast('accepted jobs/s, 32 connections', 0.3, creates.perSecond / createFloor.perSecond, `× ${createFloor.name}`),
    atMost('accept, 1 connection, p50', 3.5, single.p50Ms, 'ms'),
    atMost('accept, 1 connection, p99', 15, single.p99Ms, 'ms'),
    atMost('accept, 32 connections, p99', 40, creates.p99Ms, 'ms'),
    atLeast('GET /jobs/{id}/s, 32 connections', 0.15, gets.perSecond / getFloor.perSecond, `× ${getFloor.name}`),
    atLeast('one account, accepted jobs/s, 64 at once', 1_000, hot(64), '/s'),
    atLeast('one account, 64 at once against 16', 1, hot(64) / hot(16), '×'),
    atLeast('one account, half of it unpaid, decisions/s', 1_000, hotAccount.decisionsPerSecond, '/s'),
    atMost('the same, accepted too many or too few', 0, hotAccount.inexactBy, 'jobs'),
    atMost('accept to submit, slot free, p99', 10, dispatchLatency.alone.p99Ms, 'ms'),
    atMost(behindBacklog, 10, dispatchLatency.behindBacklog.p99Ms, 'ms'),
    atMost('idle memory, all services', 700, sumOf(memoryMb), 'MB'),
    atMost('boot from a warm data folder', 10, bootMs / 1_000, 's'),
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
