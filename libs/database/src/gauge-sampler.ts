import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Gauge } from '@kinora/metrics';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';

/** What was read: a value for each set of labels of each gauge that there is. */
export interface Reading {
  gauge: Gauge;
  labels?: Record<string, string>;
  value: number;
}

export interface Sample {
  name: string;
  /** All gauges that the readings are of. */
  gauges: readonly Gauge[];
  everyMs: number;
  /** One bounded statement that goes by an index. */
  read: () => Promise<Reading[]>;
}

/**
 * Reads gauges of what the database holds, on an interval and not when Prometheus asks: however many ask, the database is
 * asked no more often. Every replica reads the same rows, so the largest of their values counts, never the sum.
 */
@Injectable()
export class GaugeSampler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loops: WorkLoop[] = [];

  constructor(@InjectLogger() private readonly logger: Logger) {}

  /** To be called before the service starts. */
  add({ name, gauges, everyMs, read }: Sample): void {
    this.loops.push(
      new WorkLoop({
        work: async () => {
          show(gauges, await read());
          return 'idle';
        },
        idleMs: everyMs,
        onFailure: (error) => {
          // No value is better than one that nobody can tell from a fresh one.
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

/** In one turn, so that nobody is shown half of it. */
function show(gauges: readonly Gauge[], readings: Reading[]): void {
  for (const gauge of gauges) gauge.reset();
  for (const { gauge, labels = {}, value } of readings) gauge.set(labels, value);
}
