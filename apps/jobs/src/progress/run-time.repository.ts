import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';

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
