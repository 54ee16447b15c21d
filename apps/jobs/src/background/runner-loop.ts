import { type Logger, WorkLoop } from '@kinora/service-kit';

/** An idle loop polls this often, because signals and hints can be lost. */
const POLL_MS = 1_000;

/** A round that fails is logged, and the next one comes at its time. */
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
