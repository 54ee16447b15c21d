import { keepTracesWith } from './tracing';
import type { TracingOptions } from './tracing-options';

/** How long the end of a process waits for a collector. */
const STOP_TIMEOUT_MS = 1_500;

/** Begins to keep traces. Without an endpoint nothing of it is even loaded. @returns how to end it. */
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  if (options.endpoint === '') return () => Promise.resolve();
  const { exportTraces } = await import('./export-traces');
  const { tracer, stop } = exportTraces(options);
  keepTracesWith(tracer);
  return async () => {
    keepTracesWith(null);
    await atMost(stop(), STOP_TIMEOUT_MS);
  };
}

async function atMost(ending: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  // Spans that nobody takes are no reason to end badly.
  await Promise.race([ending.catch(() => undefined), enough]);
  clearTimeout(timer);
}
