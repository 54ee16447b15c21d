import { sumOf } from '../idle-memory';
import { type Cell, figure, textTable } from '../goals';

/** The recorded values of one window of the run. */
export interface SoakWindow {
  /** At its end, since the beginning of the run. */
  minutes: number;
  accepted: number;
  errors: number;
  /** Latency of creates, from the moment when each was due. */
  p50Ms: number;
  p99Ms: number;
  /** From the end of a job to the arrival of its webhook. */
  webhookP50Ms: number;
  webhookP99Ms: number;
  /** Age of the oldest unpublished event at each poll. */
  outboxP99Ms: number;
  /** At its end: the wait of the job that is queued longest, and of the delivery that is overdue longest. */
  queuedSeconds: number;
  overdueSeconds: number;
  /** Resident memory at its end, by process. */
  memoryMb: Record<string, number>;
}

export function windowLine(window: SoakWindow): string {
  const { minutes, accepted, errors, p50Ms, p99Ms, webhookP50Ms, webhookP99Ms, outboxP99Ms, memoryMb } = window;
  const memory = Object.entries(memoryMb).map(([name, megabytes]) => `${name} ${figure(megabytes)}`);
  return [
    `${figure(minutes)} min: ${figure(accepted)} accepted, ${errors} errors`,
    `accept p50 ${figure(p50Ms)} p99 ${figure(p99Ms)} ms`,
    `webhook p50 ${figure(webhookP50Ms)} p99 ${figure(webhookP99Ms)} ms`,
    `outbox p99 ${figure(outboxP99Ms)} ms`,
    `MB ${memory.join(', ')}`,
  ].join('; ');
}

export function windowsTable(windows: SoakWindow[]): string {
  const headings = ['min', 'accepted', 'errors', 'accept p50', 'p99 ms', 'webhook p50', 'p99 ms', 'outbox p99 ms'];
  const rows = windows.map((one): Cell[] => [
    ...[one.minutes, one.accepted, one.errors, one.p50Ms, one.p99Ms, one.webhookP50Ms, one.webhookP99Ms],
    ...[one.outboxP99Ms, one.queuedSeconds, one.overdueSeconds, sumOf(one.memoryMb)],
  ]);
  return textTable([...headings, 'queued s', 'overdue s', 'services MB'], rows);
}
