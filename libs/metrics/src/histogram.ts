import { performance } from 'node:perf_hooks';
import { Histogram as PrometheusHistogram, type HistogramConfiguration } from 'prom-client';

type Labels<Label extends string> = Record<Label, string>;

interface Line {
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}

export interface Observations {
  observe(value: number): void;
}

/**
 * A histogram whose labels are resolved once, before the first observation. The client library builds a key from the
 * labels at every observation, which costs about twenty times as much.
 */
export class Histogram<Label extends string = never> {
  readonly name: string;
  private readonly buckets: readonly number[];
  private readonly cells = new Map<string, Cell<Label>>();

  constructor(config: Required<Pick<HistogramConfiguration<Label>, 'name' | 'help' | 'labelNames' | 'buckets'>>) {
    this.name = config.name;
    this.buckets = config.buckets;
    new Exposed(config, () => [...this.cells.values()].flatMap((cell) => cell.toValues(config.name)));
  }

  of(labels: Labels<Label>): Observations {
    const key = JSON.stringify(labels);
    const known = this.cells.get(key) ?? new Cell(labels, this.buckets);
    this.cells.set(key, known);
    return known;
  }

  /** The number of values observed under the labels. */
  count(labels: Labels<Label>): number {
    return this.cells.get(JSON.stringify(labels))?.count ?? 0;
  }
}

class Cell<Label extends string> implements Observations {
  private sum = 0;
  private readonly counts: number[];

  constructor(
    private readonly labels: Labels<Label>,
    private readonly buckets: readonly number[],
  ) {
    this.counts = Array<number>(buckets.length + 1).fill(0);
  }

  get count(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  observe(value: number): void {
    let place = 0;
    while (place < this.buckets.length && value > (this.buckets[place] as number)) place += 1;
    this.counts[place] = (this.counts[place] as number) + 1;
    this.sum += value;
  }

  /** Buckets are cumulative: each includes the counts of those below it. */
  toValues(name: string): Line[] {
    let total = 0;
    const buckets = this.counts.map((count, place) => ({
      metricName: `${name}_bucket`,
      labels: { ...this.labels, le: this.buckets[place] ?? '+Inf' },
      value: (total += count),
    }));
    const { labels } = this;
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }
}

/** The histogram as registered with the client library. */
class Exposed<Label extends string> extends PrometheusHistogram<Label> {
  constructor(
    private readonly config: HistogramConfiguration<Label>,
    private readonly read: () => Line[],
  ) {
    super(config);
  }

  /** Called by the registry, and by the client library's own `get`. */
  async getForPromString() {
    const { name, help } = this.config;
    return { name, help, type: 'histogram', aggregator: 'sum', values: this.read() };
  }
}

/** For requests of a client or another service: from one message to the longest timeout of a contract. */
export const DURATION_BUCKETS_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** For times as long as a job waits or runs, or a receiver is down. */
export const WAIT_BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];

/** Returns a function that gives the seconds that have passed, by the monotonic clock. */
export function startStopwatch(): () => number {
  const startedAtMs = performance.now();
  return () => (performance.now() - startedAtMs) / 1_000;
}
