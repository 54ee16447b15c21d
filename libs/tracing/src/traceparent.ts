/** The part of a trace that is sent with a request, by W3C Trace Context. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Later versions may have more after the flags; version ff is invalid. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const SAMPLED = 1;

/** Null for an invalid traceparent: it comes from outside, and a request is served without one as well. */
export function parseTraceparent(text: string | null | undefined): TraceParent | null {
  const [, traceId, spanId, flags] = (text && TRACEPARENT.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
