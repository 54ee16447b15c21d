import { Gauge, type GaugeConfiguration } from 'prom-client';

/** A gauge whose value is read at each scrape, because updating it would cost time on the hot path. */
export class LiveGauge<Label extends string = never> extends Gauge<Label> {
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
