import type { Supervisor } from './processes/supervisor';

/** The caller allows ten seconds for the stop. */
const STOP_WITHIN_MS = 9_000;

/**
 * Stops in waves: the gateways first, so that work under way can finish, and the stores last, when no service needs them. Each
 * wave has a share of the time, and unused time goes to the next ones. PostgreSQL takes longest, because it writes all changed
 * pages to disk (shutdown checkpoint).
 */
const WAVES = [
  { until: 0.25, takes: (name: string) => name.startsWith('gateway') },
  { until: 0.65, takes: (name: string) => !['postgres', 'nats'].includes(name) },
  { until: 1, takes: () => true },
];

/** Stops every process, with an orderly stop if the time suffices. */
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
