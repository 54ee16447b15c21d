import { keepTracesWith } from './tracing';
import type { TracingOptions } from './tracing-options';

/** How long the end of a process waits for a collector. */
const STOP_TIMEOUT_MS = 1_500;

/** Starts tracing. Without an endpoint no tracing library is loaded. @returns a function that stops it. */
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
  // Spans that cannot be exported must not make the process exit with an error.
  await Promise.race([ending.catch(() => undefined), enough]);
  clearTimeout(timer);
}
