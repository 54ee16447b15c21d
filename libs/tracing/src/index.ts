export type { Attributes, Enter, OpenSpan, Span, SpanShape } from './tracer.port';
export { startTracing } from './start-tracing';
export type { TracingOptions } from './tracing-options';
export { captureTrace, currentTraceId, currentTraceparent, inSpan, inTrace, openSpan } from './tracing';
