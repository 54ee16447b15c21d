import type { Enter, OpenSpan, Span, SpanShape } from './span';
import type { Tracer } from './tracer.port';

/** One a process, and not handed around: what a trace is for is to go through everything. */
let tracer: Tracer | null = null;

const NO_SPAN: Span = { set: () => undefined };
const STAY: Enter = (work) => work();

/** From now on there are traces; without a tracer there are none again. */
export function keepTracesWith(next: Tracer | null): void {
  tracer = next;
}

/** Does the work in a span of its own, if the current request or job is traced. */
export function inSpan<Result>(name: string, shape: SpanShape, work: (span: Span) => Promise<Result>): Promise<Result> {
  return tracer?.isRecording() ? tracer.inSpan(name, shape, work) : work(NO_SPAN);
}

/** Does work that came from elsewhere, in the trace that it came with, if it came with one. */
export function inTrace<Result>(
  traceparent: string | null | undefined,
  name: string,
  shape: SpanShape,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer && traceparent ? tracer.inTrace(traceparent, name, shape, work) : work(NO_SPAN);
}

/** Begins work that goes on with the given trace, or begins one; its end is told by an event. Null where no traces are kept. */
export function openSpan(traceparent: string | null | undefined, name: string, shape: SpanShape): OpenSpan | null {
  return tracer === null ? null : tracer.openSpan(traceparent, name, shape);
}

/** For work that is put aside and done later, together with that of others. */
export function captureTrace(): Enter {
  return tracer === null ? STAY : tracer.captureTrace();
}

/** How the trace goes on elsewhere, as W3C writes it; undefined where there is none. */
export function currentTraceparent(): string | undefined {
  return tracer?.traceparent();
}

export function currentTraceId(): string | undefined {
  return tracer?.traceId();
}
