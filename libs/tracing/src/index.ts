export type { Attributes, Enter, OpenSpan, Span, SpanShape } from './tracer.port';
export { startTracing, type TracingOptions } from './start-tracing';
export { captureTrace, currentTraceId, currentTraceparent, inSpan, inTrace, openSpan } from './tracing';
