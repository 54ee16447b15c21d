import type { Enter, OpenSpan, Span, SpanShape } from './span';

/** Keeps traces. A process without one keeps none. */
export interface Tracer {
  /** Whether there is a current trace, and it is being kept. */
  isRecording: () => boolean;
  /** Does the work in a span below the current one. */
  inSpan: <Result>(name: string, shape: SpanShape, work: (span: Span) => Promise<Result>) => Promise<Result>;
  /** Does the work in a span of the given trace; below the current one where that is of the same trace. */
  inTrace: <Result>(
    traceparent: string,
    name: string,
    shape: SpanShape,
    work: (span: Span) => Promise<Result>,
  ) => Promise<Result>;
  /** Begins a span of the given trace, or of a new one, which whoever asked has to end. */
  openSpan: (traceparent: string | null | undefined, name: string, shape: SpanShape) => OpenSpan;
  /** A way back into the current trace, for work that runs later and elsewhere. */
  captureTrace: () => Enter;
  traceparent: () => string | undefined;
  traceId: () => string | undefined;
}
