import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { JobRow } from '../job/job.entity';
import { bucketOf, jobSizeOf, sizeClassOf } from './estimate';

/** Jobs with the same key are counted together. */
export interface RunTimeKey {
  model: string;
  kind: string;
  size_class: number;
  provider: string;
  bucket: number;
}

export interface RunTimeCount extends RunTimeKey {
  jobs: number;
}

export const RUN_TIME_PAGE = 1_000;

/** Sorted, so that processes that add at the same moment lock the rows in the same order. */
const ADD = statement(
  'run_time_add',
  `INSERT INTO run_time (minute, model, kind, size_class, provider, bucket, jobs)
   SELECT date_trunc('minute', clock_timestamp()), ended.*
     FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::integer[], $6::integer[])
       AS ended (model, kind, size_class, provider, bucket, jobs)
    ORDER BY model, kind, size_class, provider, bucket
   ON CONFLICT (minute, model, kind, size_class, provider, bucket) DO UPDATE SET jobs = run_time.jobs + excluded.jobs`,
);

const LIST = statement(
  'run_time_list',
  `SELECT model, kind, size_class, provider, bucket, sum(jobs)::integer AS jobs
     FROM run_time WHERE minute > clock_timestamp() - interval '1 hour'
    GROUP BY model, kind, size_class, provider, bucket`,
);

const PRUNE = statement(
  'run_time_prune',
  `DELETE FROM run_time WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM run_time WHERE minute < clock_timestamp() - interval '2 hours' LIMIT ${RUN_TIME_PAGE}))`,
);

@Injectable()
export class RunTimeRepository {
  constructor(private readonly database: Database) {}

  async add(counts: RunTimeCount[]): Promise<void> {
    await this.database.execute(ADD, [
      counts.map(({ model }) => model),
      counts.map(({ kind }) => kind),
      counts.map(({ size_class }) => size_class),
      counts.map(({ provider }) => provider),
      counts.map(({ bucket }) => bucket),
      counts.map(({ jobs }) => jobs),
    ]);
  }

  /** The jobs that ended in the last hour. */
  listRecent(): Promise<RunTimeCount[]> {
    return this.database.query<RunTimeCount>(LIST);
  }

  /** Returns the number of deleted rows, a page at most. */
  prune(): Promise<number> {
    return this.database.execute(PRUNE);
  }
}

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
