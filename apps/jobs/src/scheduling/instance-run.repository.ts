import { Injectable } from '@nestjs/common';
import { Database, type Queryable, statement, inOpenMonths } from '@kinora/database';
import type { AttemptClaim } from '../attempt/attempt.row';

/** How many runs of each instance a plan knows. */
const KNOWN_RUNS = 128;
/** How many waiting jobs of each model it counts. */
const COUNTED_JOBS = 200;
/** The costs of a model that is rarely asked for need more runs. */
const MEASURED_RUNS = 2_000;

export const INSTANCE_RUN_PAGE = 1_000;

const EPOCH_MS = (time: string): string => `(extract(epoch FROM ${time}) * 1000)::double precision`;

const ADD = statement(
  'instance_run_add',
  `INSERT INTO instance_run (job_id, number, provider, account_id, model, template, arrived_at, is_load)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** How many tasks a task may have waited behind. */
const TASKS_BEFORE = 8;

/** A backend that reports no time has worked since it got the task, or since the end of the one before it. */
const END = statement(
  'instance_run_end',
  `UPDATE instance_run SET ended_at = clock_timestamp(), gpu_ms = coalesce($3::bigint, (extract(epoch FROM
          clock_timestamp() - greatest(started_at, (SELECT max(ended_at) FROM (
            SELECT ended_at FROM instance_run AS earlier
             WHERE earlier.provider = instance_run.provider AND earlier.started_at < instance_run.started_at
             ORDER BY started_at DESC LIMIT ${TASKS_BEFORE}) AS before))) * 1000)::bigint)
    WHERE job_id = $1 AND number = $2 AND gpu_ms IS NULL`,
);

const FORGET = statement(
  'instance_run_forget',
  `UPDATE instance_run SET is_loaded = false
    WHERE (job_id, number) = (SELECT job_id, number FROM instance_run WHERE provider = $1 ORDER BY started_at DESC LIMIT 1)`,
);

const LIST = statement(
  'instance_run_list',
  `SELECT run.*, ${EPOCH_MS('run.arrived_at')} AS arrived_at_ms, ${EPOCH_MS('run.started_at')} AS started_at_ms,
          ${EPOCH_MS('run.ended_at')} AS ended_at_ms, attempt.state IS NOT NULL AS is_open,
          ${EPOCH_MS('clock_timestamp()')} AS now_ms
     FROM unnest($1::text[]) AS instance (id) CROSS JOIN LATERAL (
       SELECT job_id, number, provider, account_id, model, template, arrived_at, started_at, ended_at, is_load, is_loaded, gpu_ms
         FROM instance_run WHERE provider = instance.id ORDER BY started_at DESC LIMIT ${KNOWN_RUNS}) AS run
     LEFT JOIN attempt ON run.gpu_ms IS NULL AND attempt.job_id = run.job_id AND attempt.number = run.number
                      AND attempt.state NOT IN ('ended', 'collecting') AND ${inOpenMonths('attempt.job_id')}
    ORDER BY run.started_at`,
);

const LIST_WAITING = statement(
  'instance_run_list_waiting',
  `SELECT requested.model, next.account_id AS account, ${EPOCH_MS('next.created_at')} AS "arrivedAtMs",
          ${EPOCH_MS('clock_timestamp()')} AS now_ms
     FROM unnest($1::text[]) AS requested (model) CROSS JOIN LATERAL (
       SELECT account_id, created_at, turn, claimable_at FROM job
        WHERE job.model = requested.model AND claimable_at IS NOT NULL AND claimable_at <= statement_timestamp()
          AND ${inOpenMonths('id')}
        ORDER BY turn, claimable_at LIMIT ${COUNTED_JOBS}) AS next
    ORDER BY requested.model, next.turn, next.claimable_at`,
);

/** A median, because the runs of a model differ, and some found their model loaded although it was not expected. */
const MEASURE = statement(
  'instance_run_measure',
  `SELECT run.provider, run.template, run.is_load, percentile_cont(0.5) WITHIN GROUP (ORDER BY run.gpu_ms) AS ms
     FROM unnest($1::text[]) AS instance (id) CROSS JOIN LATERAL (
       SELECT provider, template, is_load, gpu_ms FROM instance_run
        WHERE provider = instance.id ORDER BY started_at DESC LIMIT ${MEASURED_RUNS}) AS run
    WHERE run.gpu_ms IS NOT NULL GROUP BY 1, 2, 3`,
);

/** Ids of jobs begin with the time of their creation, so the primary key finds the old ones. */
const PRUNE = statement(
  'instance_run_prune',
  `DELETE FROM instance_run WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM instance_run
      WHERE job_id < rpad(lpad(to_hex((extract(epoch FROM statement_timestamp() - interval '1 day') * 1000)::bigint), 12, '0'), 32, '0')::uuid
      LIMIT ${INSTANCE_RUN_PAGE}))`,
);

export interface NewInstanceRun {
  job_id: string;
  number: number;
  provider: string;
  account_id: string;
  model: string;
  template: string;
  arrived_at: Date;
  is_load: boolean;
}

export interface InstanceRun extends Omit<NewInstanceRun, 'arrived_at'> {
  arrived_at_ms: number;
  started_at_ms: number;
  ended_at_ms: number | null;
  is_loaded: boolean;
  gpu_ms: number | null;
  /** Whether it takes a place of its instance. */
  is_open: boolean;
  now_ms: number;
}

export interface WaitingJobRow {
  model: string;
  account: string;
  arrivedAtMs: number;
  now_ms: number;
}

export interface MeasuredCost {
  provider: string;
  template: string;
  is_load: boolean;
  ms: number;
}

@Injectable()
export class InstanceRunRepository {
  constructor(private readonly database: Database) {}

  /** In the transaction that opens the attempt. */
  async add(transaction: Queryable, run: NewInstanceRun): Promise<void> {
    const { job_id, number, provider, account_id, model, template, arrived_at, is_load } = run;
    await transaction.execute(ADD, [job_id, number, provider, account_id, model, template, arrived_at, is_load]);
  }

  async end({ job_id, number }: AttemptClaim, gpuMs: number | null): Promise<void> {
    await this.database.execute(END, [job_id, number, gpuMs === null ? null : Math.round(gpuMs)]);
  }

  async forget(provider: string): Promise<void> {
    await this.database.execute(FORGET, [provider]);
  }

  /** The last runs at these instances, the oldest first. */
  list(transaction: Queryable, providers: string[]): Promise<InstanceRun[]> {
    return transaction.query<InstanceRun>(LIST, [providers]);
  }

  /** The next jobs of these models, in the order in which they are claimed. */
  listWaiting(transaction: Queryable, models: string[]): Promise<WaitingJobRow[]> {
    return transaction.query<WaitingJobRow>(LIST_WAITING, [models]);
  }

  measure(providers: string[]): Promise<MeasuredCost[]> {
    return this.database.query<MeasuredCost>(MEASURE, [providers]);
  }

  /** Returns the number of deleted rows, a page at most. */
  prune(): Promise<number> {
    return this.database.execute(PRUNE);
  }
}
