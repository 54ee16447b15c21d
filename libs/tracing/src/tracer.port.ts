import type { Enter, OpenSpan, Span, SpanShape } from './span';

/** Records traces. A process without a tracer records none. */
export interface Tracer {
  /** Whether there is a current trace that is recorded. */
  isRecording: () => boolean;
  /** Runs the work in a span below the current one. */
  inSpan: <Result>(name: string, shape: SpanShape, work: (span: Span) => Promise<Result>) => Promise<Result>;
  /** Runs the work in a span of the given trace; below the current span if that is of the same trace. */
  inTrace: <Result>(
    traceparent: string,
    name: string,
    shape: SpanShape,
    work: (span: Span) => Promise<Result>,
  ) => Promise<Result>;
  /** Begins a span of the given trace, or of a new one; the caller must end it. */
  openSpan: (traceparent: string | null | undefined, name: string, shape: SpanShape) => OpenSpan;
  /** Captures the current trace, for work that runs later in another call stack. */
  captureTrace: () => Enter;
  traceparent: () => string | undefined;
  traceId: () => string | undefined;
}
