export interface TracingOptions {
  /** Of a collector that speaks OTLP over HTTP, without `/v1/traces`; empty keeps no traces. */
  endpoint: string;
  /** For the collector, as OpenTelemetry writes them: names and encoded values, separated by commas. */
  headers: string;
  service: string;
  /** Of the traces that begin here; those that come from elsewhere are kept if they were kept there. */
  ratio: number;
  exportEveryMs: number;
  /** Told when the collector begins to fail, and when it takes spans again. */
  tell: (state: 'lost' | 'taken', reason?: string) => void;
}
