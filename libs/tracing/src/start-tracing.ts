import { keepTracesWith } from './tracing';
import type { TracingOptions } from './tracing-options';

/**
 * Starts tracing. Without an endpoint no tracing library is loaded. @returns a function that stops it and waits for the
 * collector.
 */
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  if (options.endpoint === '') return () => Promise.resolve();
  const { exportTraces } = await import('./export-traces');
  const { tracer, stop } = exportTraces(options);
  keepTracesWith(tracer);
  return async () => {
    keepTracesWith(null);
    // Spans that cannot be exported must not make the process exit with an error.
    await stop().catch(() => undefined);
  };
}
