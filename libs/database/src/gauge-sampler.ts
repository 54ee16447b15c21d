import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Gauge } from '@kinora/metrics';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';

/** A reading: for each gauge, a value for each set of labels. */
export interface Reading {
  gauge: Gauge;
  labels?: Record<string, string>;
  value: number;
}

export interface Sample {
  name: string;
  gauges: readonly Gauge[];
  everyMs: number;
  /** One bounded statement that uses an index. */
  read: () => Promise<Reading[]>;
}

/**
 * Samples gauges from the database on an interval and not on each scrape, so the number of scrapers adds no load. Every replica
 * reads the same rows: aggregate the values with max, never with sum.
 */
@Injectable()
export class GaugeSampler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loops: WorkLoop[] = [];

  constructor(@InjectLogger() private readonly logger: Logger) {}

  /** Call it before the service starts. */
  add({ name, gauges, everyMs, read }: Sample): void {
    this.loops.push(
      new WorkLoop({
        work: async () => {
          show(gauges, await read());
          return 'idle';
        },
        idleMs: everyMs,
        onFailure: (error) => {
          // A missing value is better than a stale one, which looks like a fresh one.
          show(gauges, []);
          this.logger.warn({ sample: name, reason: String(error) }, 'gauges_not_read');
        },
      }),
    );
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}

/** Synchronous, so that no scrape sees half of the values. */
function show(gauges: readonly Gauge[], readings: Reading[]): void {
  for (const gauge of gauges) gauge.reset();
  for (const { gauge, labels = {}, value } of readings) gauge.set(labels, value);
}
