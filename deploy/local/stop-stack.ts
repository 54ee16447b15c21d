import type { Supervisor } from './processes/supervisor';

/** Whoever asked for the stop gives it ten seconds. */
const STOP_WITHIN_MS = 9_000;

/**
 * The door closes first, so that what is under way inside can end; the stores go when nobody needs them any more. A wave
 * may last until its share of the time is over. What it leaves is for the next ones: PostgreSQL, which writes down all
 * that it holds in memory before it ends, has the most to do.
 */
const WAVES = [
  { until: 0.25, takes: (name: string) => name.startsWith('gateway') },
  { until: 0.65, takes: (name: string) => !['postgres', 'nats'].includes(name) },
  { until: 1, takes: () => true },
];

/** Stops every process, each in good order if it can do that in time. */
export async function stopStack(
  supervisor: Pick<Supervisor, 'names' | 'stop'>,
  withinMs = STOP_WITHIN_MS,
): Promise<void> {
  const startedAt = performance.now();
  for (const { until, takes } of WAVES) {
    const leftMs = withinMs * until - (performance.now() - startedAt);
    await supervisor.stop(supervisor.names.filter(takes), Math.max(leftMs, 0));
  }
}
