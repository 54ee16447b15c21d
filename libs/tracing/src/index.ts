export type { Attributes, Enter, OpenSpan, Span, SpanShape } from './tracer.port';
export { startTracing } from './export-traces';
export type { TracingOptions } from './export-traces';
export { captureTrace, currentTraceId, currentTraceparent, inSpan, inTrace, openSpan } from './tracing';
