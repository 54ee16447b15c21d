import { atMost, goalsTable, textTable } from '../goals';
import { percentile } from '../load';
import type { Arrival } from './held-connections';

const SLOWEST_PART = 0.01;

/** What is held at the gateway, and what it costs while nothing happens. */
export interface HeldCost {
  what: string;
  memoryMb: number;
  cores: number;
}

/** The ends of a part of the run, as they arrived at clients that wait and at streams. */
export interface PhaseDelays {
  phase: string;
  waits: Arrival[];
  streams: Arrival[];
  /** Of the machine, used by the stack. */
  cores: number;
  /** The longest stall of the program that measures. */
  clientStallMs: number;
}

export function reportHeld(idleMb: number, held: HeldCost[]): void {
  const rows = held.map(({ what, memoryMb, cores }) => [what, memoryMb, cores]);
  console.log(`\n${textTable([`held at one gateway (idle ${Math.round(idleMb)} MB)`, 'MB more', 'cores'], rows)}`);
  const [waits] = held;
  if (!waits) return;
  const goals = [
    atMost(`memory of ${waits.what}`, 150, waits.memoryMb, 'MB'),
    atMost(`idle CPU of ${waits.what}`, 0.1, waits.cores, 'cores'),
  ];
  console.log(`\n${goalsTable(goals)}`);
}

/** The goal is for a warm stack; the first ends of a new one are shown beside it. */
export function reportDelays(phases: PhaseDelays[]): void {
  const rows = phases.flatMap(({ phase, waits, streams }) => [
    [`${phase} ends, to waiting requests`, ...figuresOf(waits)],
    [`${phase} ends, to streams`, ...figuresOf(streams)],
  ]);
  const headings = ['end of a job to the first byte', 'arrived', 'p50 ms', 'p99 ms', 'max ms'];
  console.log(`\n${textTable(headings, rows)}\n`);
  for (const { phase, waits, cores, clientStallMs } of phases)
    console.log(
      `${phase} ends: the stack uses ${cores.toFixed(2)} cores, this program stalls for ${Math.round(clientStallMs)} ms at most, ` +
        `and the slowest hundredth of the waits came in the seconds ${secondsOfSlowest(waits)}.`,
    );
  const goals = phases
    .filter(({ phase }) => phase === 'warm')
    .flatMap(({ waits, streams }) => [
      atMost('delay of waits, p99', 50, percentile(delaysOf(waits), 0.99), 'ms'),
      atMost('delay of streams, p99', 50, percentile(delaysOf(streams), 0.99), 'ms'),
    ]);
  console.log(`\n${goalsTable(goals)}`);
}

function figuresOf(arrivals: Arrival[]): number[] {
  const sorted = delaysOf(arrivals);
  return [sorted.length, percentile(sorted, 0.5), percentile(sorted, 0.99), sorted.at(-1) ?? 0];
}

/** In rising order. */
function delaysOf(arrivals: Arrival[]): number[] {
  return arrivals.map(({ delayMs }) => delayMs).sort((a, b) => a - b);
}

/** Whether a stall makes the tail, or the load as a whole: `0 (31 ×), 7 (9 ×)` for two stalls. */
function secondsOfSlowest(arrivals: Arrival[]): string {
  const beganAtMs = Math.min(...arrivals.map(({ atMs }) => atMs));
  const slowestFirst = arrivals.toSorted((a, b) => b.delayMs - a.delayMs);
  const counts = new Map<number, number>();
  for (const { atMs } of slowestFirst.slice(0, Math.ceil(arrivals.length * SLOWEST_PART))) {
    const second = Math.floor((atMs - beganAtMs) / 1_000);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  const bySecond = [...counts].sort(([a], [b]) => a - b);
  return bySecond.map(([second, count]) => `${second} (${count} ×)`).join(', ');
}
