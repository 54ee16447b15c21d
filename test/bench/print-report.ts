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

export const CREATE_FLOOR = 'floor: accept as one statement, pgbench';
export const GET_FLOOR = 'floor: get by key, pgbench';

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
  if (!measured[CREATE_FLOOR]) console.log('\nNo floor: there is no pgbench (apt-get install postgresql).');
  console.log();
  const memory = [...Object.entries(memoryMb), ['all services', sumOf(memoryMb)]];
  console.log(textTable(['idle', 'resident MB'], memory));
  console.log();
  for (const [what, byProcess] of Object.entries(cpuMs)) console.log(cpuLine(what, byProcess));
}

function goalsOf({ measured, bootMs, dispatchLatency, memoryMb, hotAccount }: Report): Goal[] {
  /** NaN without pgbench. */
  const floorOf = (name: string): number => measured[name]?.perSecond ?? NaN;
  const [creates, gets] = [measurementOf(measured, 'accepted jobs'), measurementOf(measured, 'GET /jobs/{id}')];
  const single = measurementOf(measured, 'accepted jobs, one connection');
  const hot = (clients: number): number =>
    measurementOf(measured, `accepted jobs, one account, ${clients} at once`).perSecond;
  const behindBacklog = `accept to submit, slot free, ${BACKLOG_JOBS.toLocaleString('en')} queued jobs, p99`;
  return [
    atLeast('accepted jobs/s, 32 connections', 0.3, creates.perSecond / floorOf(CREATE_FLOOR), '× pgbench'),
    atMost('accept, 1 connection, p50', 3.5, single.p50Ms, 'ms'),
    atMost('accept, 1 connection, p99', 15, single.p99Ms, 'ms'),
    atMost('accept, 32 connections, p99', 40, creates.p99Ms, 'ms'),
    atLeast('GET /jobs/{id}/s, 32 connections', 0.15, gets.perSecond / floorOf(GET_FLOOR), '× pgbench'),
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

function measurementOf(measured: Measured, name: string): Measurement {
  const measurement = measured[name];
  if (!measurement) throw new Error(`There is no measurement of "${name}".`);
  return measurement;
}
