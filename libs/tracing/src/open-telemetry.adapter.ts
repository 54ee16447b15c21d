import {
  type Context,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  type Tracer as OtelTracer,
  TraceFlags,
  defaultTextMapGetter,
  defaultTextMapSetter,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Enter, OpenSpan, Span, SpanShape, Tracer } from './tracer.port';

const KINDS: Record<SpanShape['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

const propagator = new W3CTraceContextPropagator();

/**
 * Traces by OpenTelemetry, with its own context manager. It registers nothing globally, so that no library begins to
 * trace by itself.
 */
export class OpenTelemetryTracer implements Tracer {
  private readonly contexts = new AsyncLocalStorageContextManager().enable();

  constructor(private readonly tracer: OtelTracer) {}

  isRecording(): boolean {
    return isSampled(this.contexts.active());
  }

  inSpan<Result>(name: string, shape: SpanShape, work: (span: Span) => Promise<Result>): Promise<Result> {
    return this.run(this.start(this.contexts.active(), name, shape), this.contexts.active(), work);
  }

  inTrace<Result>(
    traceparent: string,
    name: string,
    shape: SpanShape,
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    const named = toContext(traceparent);
    const current = this.contexts.active();
    const parent = traceIdOf(current) === traceIdOf(named) ? current : named;
    return this.run(this.start(parent, name, shape), parent, work);
  }

  openSpan(traceparent: string | null | undefined, name: string, shape: SpanShape): OpenSpan {
    const parent = toContext(traceparent);
    const span = this.start(parent, name, shape);
    const context = trace.setSpan(parent, span);
    return {
      traceId: span.spanContext().traceId,
      set: (attributes) => void span.setAttributes(attributes),
      enter: (work) => this.contexts.with(context, work),
      end: (errorType) => {
        if (errorType !== undefined) fail(span, errorType);
        span.end();
      },
    };
  }

  captureTrace(): Enter {
    const context = this.contexts.active();
    return (work) => this.contexts.with(context, work);
  }

  traceparent(): string | undefined {
    const headers: { traceparent?: string } = {};
    propagator.inject(this.contexts.active(), headers, defaultTextMapSetter);
    return headers.traceparent;
  }

  traceId(): string | undefined {
    return traceIdOf(this.contexts.active());
  }

  private start(parent: Context, name: string, { kind, attributes }: SpanShape): OtelSpan {
    return this.tracer.startSpan(name, { kind: KINDS[kind], ...(attributes && { attributes }) }, parent);
  }

  private async run<Result>(span: OtelSpan, parent: Context, work: (span: Span) => Promise<Result>): Promise<Result> {
    const shown: Span = { set: (attributes) => void span.setAttributes(attributes) };
    try {
      return await this.contexts.with(trace.setSpan(parent, span), work, undefined, shown);
    } catch (error) {
      fail(span, errorTypeOf(error));
      throw error;
    } finally {
      span.end();
    }
  }
}

/** Empty for an invalid traceparent: it comes from clients, and a request is served without one as well. */
function toContext(traceparent: string | null | undefined): Context {
  return propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
}

function traceIdOf(context: Context): string | undefined {
  return trace.getSpanContext(context)?.traceId;
}

function isSampled(context: Context): boolean {
  return ((trace.getSpanContext(context)?.traceFlags ?? TraceFlags.NONE) & TraceFlags.SAMPLED) !== 0;
}

function fail(span: OtelSpan, errorType: string): void {
  span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
}

/** The stable code of an error, or its class. Messages are left out: they may quote client input. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
