export type { Attributes, Enter, OpenSpan, Span, SpanShape } from './span';
export { type TracingOptions, startTracing } from './start-tracing';
export { captureTrace, currentTraceId, currentTraceparent, inSpan, inTrace, openSpan } from './tracing';
