import { keepTracesWith } from './tracing';
import type { TracingOptions } from './tracing-options';

/** Begins to keep traces. Without an endpoint nothing of it is even loaded. @returns how to end it, which waits for the collector. */
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  if (options.endpoint === '') return () => Promise.resolve();
  const { exportTraces } = await import('./export-traces');
  const { tracer, stop } = exportTraces(options);
  keepTracesWith(tracer);
  return async () => {
    keepTracesWith(null);
    // Spans that no collector takes are no reason to end badly.
    await stop().catch(() => undefined);
  };
}
