import { keepTracesWith } from './tracing';

export interface TracingOptions {
  /** Of a collector that speaks OTLP over HTTP, without `/v1/traces`; empty keeps no traces. */
  endpoint: string;
  /** For the collector, as OpenTelemetry writes them: names and encoded values, separated by commas. */
  headers: string;
  service: string;
  /** Of the traces that begin here; those that come from elsewhere are kept if they were kept there. */
  ratio: number;
  exportEveryMs: number;
  /** Told when the collector begins to fail, and when it takes spans again. */
  tell: (state: 'lost' | 'taken', reason?: string) => void;
}

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
