import { hostname } from 'node:os';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { OpenTelemetryTracer } from './open-telemetry.adapter';
import type { Tracer } from './tracer.port';

export interface TracingOptions {
  /** URL of a collector that accepts OTLP over HTTP, without `/v1/traces`; empty turns tracing off. */
  endpoint: string;
  /** Headers for the collector, as OpenTelemetry defines them: names and encoded values, separated by commas. */
  headers: string;
  service: string;
  /** Share of the traces begun here that are recorded; traces from elsewhere follow their sender's decision. */
  ratio: number;
  exportEveryMs: number;
  /** Called when the collector begins to fail, and when it accepts spans again. */
  onStateChange: (state: 'lost' | 'taken', reason?: string) => void;
}

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Reports when the collector begins to fail and when it recovers. Spans are dropped meanwhile, at no other cost. */
export class WatchedExporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly onStateChange: (state: 'lost' | 'taken', reason?: string) => void,
  ) {}

  export(spans: ReadableSpan[], done: (result: Result) => void): void {
    this.exporter.export(spans, (result) => {
      this.note(result.error);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private note(error: Error | undefined): void {
    if (this.isFailing === (error !== undefined)) return;
    this.isFailing = error !== undefined;
    // Reports the class and not the message, which may contain the address with its credentials.
    if (error) this.onStateChange('lost', error.name);
    else this.onStateChange('taken');
  }
}

/**
 * About 2 MB. Spans that arrive while the queue is full are dropped, so an unavailable collector costs neither memory
 * nor time.
 */
const MAX_WAITING_SPANS = 4_096;
const MAX_SPANS_A_BATCH = 512;
const EXPORT_TIMEOUT_MS = 5_000;
const MAX_ATTRIBUTE_CHARACTERS = 256;

/** A tracer whose spans go to a collector in batches, and the function that flushes the last of them. */
export function exportTraces(options: TracingOptions): { tracer: Tracer; stop: () => Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: toTracesUrl(options.endpoint),
    headers: parseHeaders(options.headers),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.namespace': 'kinora',
      'service.instance.id': `${hostname()}-${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
    spanProcessors: [
      new BatchSpanProcessor(new WatchedExporter(exporter, options.onStateChange), {
        maxQueueSize: MAX_WAITING_SPANS,
        maxExportBatchSize: MAX_SPANS_A_BATCH,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        scheduledDelayMillis: options.exportEveryMs,
      }),
    ],
  });
  return { tracer: new OpenTelemetryTracer(provider.getTracer('kinora')), stop: () => provider.shutdown() };
}

/** Parsed here because the exporter reads only its own environment variables, and settings may come from a file. */
function parseHeaders(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text.replaceAll(',', '&').replaceAll('+', '%2B')));
}

/** OpenTelemetry: the endpoint is a base URL, below which each signal has its path. */
function toTracesUrl(endpoint: string): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/traces`;
}
