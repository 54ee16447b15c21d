import { type Logger, WorkLoop } from '@kinora/service-kit';

/** The safety net under every hint: an idle loop looks by itself this often. */
const POLL_MS = 1_000;

/** A round that fails is told of, and the next one comes in its time. */
export function runnerLoop(
  name: string,
  work: () => Promise<{ more: boolean }>,
  logger: Logger,
  idleMs = POLL_MS,
): WorkLoop {
  return new WorkLoop({
    work: async () => ((await work()).more ? 'more' : 'idle'),
    idleMs,
    onFailure: (error) => logger.warn({ loop: name, reason: String(error) }, 'runner_interrupted'),
  });
}
