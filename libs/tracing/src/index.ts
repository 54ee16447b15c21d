export type { Attributes, Enter, OpenSpan, Span, SpanShape } from './tracer.port';
export type { TracingOptions } from './export-traces';
export { captureTrace, currentTraceId, currentTraceparent, inSpan, inTrace, openSpan, startTracing } from './tracing';
