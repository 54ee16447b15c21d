/** Ids, names and numbers: never a prompt, a secret, a parameter of a statement, or a URL from a request. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/** The constant part of a span. It is created once, so that a span costs nothing while tracing is off. */
export interface SpanShape {
  /** server and consumer handle a request from another process; client and producer send one. */
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
}

export interface Span {
  /** Adds attributes that are known only now. */
  set: (attributes: Attributes) => void;
}

/** A span that is ended by an event instead of by the end of its work. */
export interface OpenSpan extends Span {
  traceId: string;
  enter: Enter;
  /** An error type, by the convention of OpenTelemetry, marks the span as failed. */
  end: (errorType?: string) => void;
}

/** Runs work inside the captured trace. */
export type Enter = <Result>(work: () => Result) => Result;

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
