import { Gauge, type GaugeConfiguration } from 'prom-client';

/** A gauge that is read when Prometheus asks, where keeping it up to date would cost the hot path something. */
export class LiveGauge<Label extends string = never> extends Gauge<Label> {
  private readonly sources = new Map<string, { labels: Record<Label, string>; read: () => number }>();

  constructor(config: Required<Pick<GaugeConfiguration<Label>, 'name' | 'help' | 'labelNames'>>) {
    super(config);
  }

  /** The last one to say so is the one who is asked for the labels. */
  readBy(labels: Record<Label, string>, read: () => number): void {
    this.sources.set(JSON.stringify(labels), { labels, read });
  }

  /** What the client calls before it reads the values. */
  collect(): void {
    for (const { labels, read } of this.sources.values()) this.set(labels, read());
  }
}
