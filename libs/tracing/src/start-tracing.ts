import { keepTracesWith } from './tracing';

export interface TracingOptions {
  /** URL of a collector that accepts OTLP over HTTP, without `/v1/traces`; empty turns tracing off. */
  endpoint: string;
  /** Headers for the collector, as OpenTelemetry defines them: names and encoded values, separated by commas. */
  headers: string;
  service: string;
  /** Share of the traces begun here that are recorded; traces from elsewhere follow their sender's decision. */
  ratio: number;
  exportEveryMs: number;
  /** Called when the collector begins to fail, and when it accepts spans again. */
  onStateChange: (state: 'lost' | 'taken', reason?: string) => void;
}

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
