/** Ids, names and numbers: never a prompt, a secret, a value of a statement, or a URL that somebody has sent. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/** What does not depend on the piece of work; made once, so that a span costs nothing where there are none. */
export interface SpanShape {
  /** server and consumer: asked for from elsewhere; client and producer: asks elsewhere. */
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
}

/** A piece of work while it is under way. */
export interface Span {
  /** Adds what is known only now. */
  set: (attributes: Attributes) => void;
}

/** A span whose end is told by somebody else than the work that is done in it. */
export interface OpenSpan extends Span {
  traceId: string;
  enter: Enter;
  /** An error type, by the convention of OpenTelemetry, makes it a failure. */
  end: (errorType?: string) => void;
}

/** Runs work inside of the trace that was current before. */
export type Enter = <Result>(work: () => Result) => Result;
