import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

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
