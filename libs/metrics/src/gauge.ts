import { type GaugeConfiguration, Gauge as PrometheusGauge } from 'prom-client';

/**
 * A gauge without a value until it is set and after a reset. The client library's gauge without labels exports 0 then.
 * For some gauges 0 means that all is well, for others it raises an alarm.
 */
export class Gauge<Label extends string = string> extends PrometheusGauge<Label> {
  /** The constructor of the client library's gauge also calls this method. */
  override reset(): void {
    super.reset();
    this.remove({});
  }
}

/** A gauge whose value is read at each scrape, because updating it would cost time on the hot path. */
export class LiveGauge<Label extends string = never> extends PrometheusGauge<Label> {
  private readonly sources = new Map<string, { labels: Record<Label, string>; read: () => number }>();

  constructor(config: Required<Pick<GaugeConfiguration<Label>, 'name' | 'help' | 'labelNames'>>) {
    super(config);
  }

  /** A later call with the same labels replaces the earlier reader. */
  readBy(labels: Record<Label, string>, read: () => number): void {
    this.sources.set(JSON.stringify(labels), { labels, read });
  }

  /** Called by the client library before it reads the values. */
  collect(): void {
    for (const { labels, read } of this.sources.values()) this.set(labels, read());
  }
}
