import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { JobRow } from '../job/job.entity';
import { bucketOf, jobSizeOf, sizeClassOf } from './estimate';
import { type RunTimeCount, type RunTimeKey, RunTimeRepository } from './run-time.repository';

/** Many jobs of a class end within this time, and cost one row. */
const FLUSH_EVERY_MS = 1_000;

/**
 * Counts the run times of succeeded jobs in memory, and adds them to the table every second. In the transaction that ends a job,
 * all jobs of a class would wait for the same row.
 */
@Injectable()
export class RunTimeRecorder implements OnModuleDestroy {
  private counts = new Map<string, RunTimeCount>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly runTimes: RunTimeRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Failed and canceled jobs say nothing about how long a job runs. */
  add({ status, model, kind, input, provider, started_at, completed_at }: JobRow): void {
    if (status !== 'succeeded' || !started_at || !completed_at) return;
    const bucket = bucketOf(completed_at.getTime() - started_at.getTime());
    this.increase({ model, kind, size_class: sizeClassOf(jobSizeOf(input)), provider, bucket });
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) await this.flush();
  }

  private increase(key: RunTimeKey): void {
    const name = JSON.stringify(key);
    const known = this.counts.get(name);
    if (known) known.jobs += 1;
    else this.counts.set(name, { ...key, jobs: 1 });
  }

  private async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const counts = [...this.counts.values()];
    this.counts = new Map();
    // Statistics: what cannot be stored now is dropped.
    await this.runTimes.add(counts).catch((error: unknown) => {
      this.logger.warn({ reason: String(error) }, 'run_times_not_stored');
    });
  }
}
