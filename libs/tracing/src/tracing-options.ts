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
