import type { Enter, OpenSpan, Span, SpanShape, Tracer } from './tracer.port';
import type { TracingOptions } from './export-traces';

/** One for the process, instead of a parameter of every function: a trace spans all of them. */
let tracer: Tracer | null = null;

const NO_SPAN: Span = { set: () => undefined };
const STAY: Enter = (work) => work();

/** Sets the tracer; null turns tracing off. */
function keepTracesWith(next: Tracer | null): void {
  tracer = next;
}

/** Runs the work in a new span, if the current request or job is traced. */
export function inSpan<Result>(name: string, shape: SpanShape, work: (span: Span) => Promise<Result>): Promise<Result> {
  return tracer?.isRecording() ? tracer.inSpan(name, shape, work) : work(NO_SPAN);
}

/** Runs work that came from elsewhere in the trace that it came with, if any. */
export function inTrace<Result>(
  traceparent: string | null | undefined,
  name: string,
  shape: SpanShape,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer && traceparent ? tracer.inTrace(traceparent, name, shape, work) : work(NO_SPAN);
}

/** Begins a span that continues the given trace or begins a new one, and that an event ends. Null if tracing is off. */
export function openSpan(traceparent: string | null | undefined, name: string, shape: SpanShape): OpenSpan | null {
  return tracer === null ? null : tracer.openSpan(traceparent, name, shape);
}

/** For work that is queued and runs later, together with that of other requests. */
export function captureTrace(): Enter {
  return tracer === null ? STAY : tracer.captureTrace();
}

/** The traceparent to send on, as W3C defines it; undefined if there is none. */
export function currentTraceparent(): string | undefined {
  return tracer?.traceparent();
}

export function currentTraceId(): string | undefined {
  return tracer?.traceId();
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
