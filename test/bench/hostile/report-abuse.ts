import type { CpuPerRequest } from '../cpu-per-request';
import { atMost, type Cell, figure, type Goal, goalsTable, isReached, textTable } from '../goals';
import type { AbuseCounts } from './abuse';

/** A low rate, so that the measured account does not slow itself down. */
export const CREATIONS_PER_SECOND = 5;

export interface Phase {
  durationMs: number;
  p50Ms: number;
  p95Ms: number;
  created: number;
  serverErrors: number;
  otherErrors: number;
  /** Processor time of each process of the stack. */
  cpuMs: CpuPerRequest;
}

/** The abuse of one API, and what it did to the measured account. */
export interface Abused {
  api: string;
  /** The parts of names that limit the abuse; empty for all abuses. */
  only: string;
  phase: Phase;
  counts: AbuseCounts;
  senderMs: number;
}

/** @returns whether all goals are met. */
export function report(calm: Phase, abused: Abused[]): boolean {
  const headings = [
    `another account, ${CREATIONS_PER_SECOND} creations a second`,
    'p50 ms',
    'p95 ms',
    '202',
    '5xx',
    'other',
    'busiest processes, % of one core',
  ];
  const rows = abused.map((one) => row(`beside ${nameOf(one)}`, one.phase));
  console.log(textTable(headings, [row('without abuse', calm), ...rows]));
  for (const one of abused) {
    const sent = Object.entries(one.counts).map(([name, answers]) => [name, answersLine(answers)]);
    console.log(`\n${textTable([nameOf(one), 'how often it was answered how'], sent)}`);
    console.log(`Sending took ${((100 * one.senderMs) / one.phase.durationMs).toFixed(0)} % of one core.`);
  }
  const goals = goalsOf(calm, abused);
  console.log(`\n${goalsTable(goals)}`);
  return goals.every(isReached);
}

function goalsOf(calm: Phase, abused: Abused[]): Goal[] {
  const phases = [calm, ...abused.map(({ phase }) => phase)];
  const serverErrors = phases.reduce((sum, phase) => sum + phase.serverErrors, 0);
  const otherErrors = phases.reduce((sum, phase) => sum + phase.otherErrors, 0);
  return [
    ...abused.map((one): Goal => atMost(`p95 beside ${nameOf(one)}`, 2, one.phase.p95Ms / calm.p95Ms, '× without')),
    atMost('5xx', 0, serverErrors, 'answers'),
    atMost('refused or lost', 0, otherErrors, 'creations'),
  ];
}

function nameOf({ api, only }: Abused): string {
  return only === '' ? `abuse of ${api}` : `${only} to ${api}`;
}

function row(name: string, phase: Phase): Cell[] {
  const { p50Ms, p95Ms, created, serverErrors, otherErrors } = phase;
  return [name, p50Ms, p95Ms, created, serverErrors, otherErrors, cpuLine(phase)];
}

/** Processes that take less than one percent are left out. */
function cpuLine({ cpuMs, durationMs }: Phase): string {
  return Object.entries(cpuMs)
    .map(([name, ms]): [string, number] => [name, (100 * ms) / durationMs])
    .filter(([, percent]) => percent >= 1)
    .sort(([, one], [, other]) => other - one)
    .map(([name, percent]) => `${name} ${figure(Math.round(percent))}`)
    .join(', ');
}

function answersLine(answers: Record<string, number>): string {
  return Object.entries(answers)
    .map(([answer, count]) => `${answer}: ${count}`)
    .join(', ');
}
