import { Injectable } from '@nestjs/common';
import { type BatchItem, BatchedStatement, Database, statement } from '@kinora/database';
import type { JobKind, JobStatus } from '@kinora/contracts/jobs/job';

/** A job with what its attempts have reported, and its place in the fair queue. */
export interface ProgressRow {
  id: string;
  account_id: string;
  model: string;
  kind: JobKind;
  status: JobStatus;
  size: string;
  /** The number of images, or the seconds of the video. */
  count: number;
  provider: string;
  /** How long it has been processing, by the clock of the database. */
  elapsed_ms: number | null;
  /** The highest value that an attempt has reported, so that a new attempt does not lower it. */
  progress: number | null;
  updated_at: Date;
  /** How many jobs the fair queue serves before it; null where it does not wait there. */
  ahead: number | null;
  /** How many tasks are before it in the queue of its backend, where the backend reports it. */
  queued_ahead: number | null;
}

/** What the jobs of a model occupy now. */
export interface ModelLoad {
  model: string;
  processing: number;
  /** Places in the queues of backends that report them: tasks that are served before the head of the fair queue. */
  backend_places: number;
  /** Jobs that have left the fair queue and have not begun. */
  handed_over: number;
}

/**
 * One pass over the queue up to the last of the given jobs, however many of them there are. The order is the one in which jobs
 * are claimed (`job_next_in_model_queue`).
 */
const READ = statement(
  'job_progress_read',
  `WITH requested AS MATERIALIZED (
     SELECT id, account_id, model, kind, status, input ->> 'size' AS size,
            coalesce((input ->> 'n')::integer, (input ->> 'duration')::integer, 1) AS count, provider, turn, claimable_at,
            (extract(epoch FROM clock_timestamp() - started_at) * 1000)::double precision AS elapsed_ms,
            coalesce(completed_at, started_at, created_at) AS changed_at, completed_at
       FROM job WHERE id = ANY($1::uuid[])
   ), queue AS MATERIALIZED (
     SELECT model, max(turn) AS last_turn FROM requested WHERE claimable_at IS NOT NULL GROUP BY model
   ), ranked AS (
     SELECT job.id, row_number() OVER (PARTITION BY job.model ORDER BY job.turn, job.claimable_at) - 1 AS ahead
       FROM queue JOIN job ON job.model = queue.model AND job.claimable_at IS NOT NULL AND job.turn <= queue.last_turn
   )
   SELECT requested.id, account_id, model, kind, status, size, count, provider, elapsed_ms, ranked.ahead,
          reported.progress::double precision AS progress, open.queued_ahead,
          CASE WHEN completed_at IS NULL THEN greatest(changed_at, reported.progress_at) ELSE completed_at END AS updated_at
     FROM requested
     LEFT JOIN ranked ON ranked.id = requested.id
     LEFT JOIN LATERAL (
       SELECT max(attempt.progress) AS progress, max(attempt.progress_at) AS progress_at
         FROM attempt WHERE attempt.job_id = requested.id) AS reported ON true
     LEFT JOIN LATERAL (
       SELECT attempt.queued_ahead FROM attempt WHERE attempt.job_id = requested.id AND attempt.state <> 'ended') AS open ON true`,
);

const READ_LOAD = statement(
  'model_load_read',
  `SELECT model, sum(processing)::integer AS processing, sum(places)::integer AS backend_places,
          sum(handed_over)::integer AS handed_over
     FROM (SELECT job.model, attempt.provider, count(*) FILTER (WHERE job.status = 'processing') AS processing,
                  count(*) FILTER (WHERE job.status = 'queued' AND NOT attempt.parked) AS handed_over,
                  coalesce(max(attempt.queued_ahead) FILTER (WHERE attempt.state = 'accepted') + 1, 0) AS places
             FROM attempt JOIN job ON job.id = attempt.job_id
            WHERE attempt.state <> 'ended' GROUP BY job.model, attempt.provider) AS instance
    GROUP BY model`,
);

/** A new job of the account gets the rank that `QUEUE_RANK` (job-insert.repository.ts) computes: behind its own waiting jobs. */
const COUNT_AHEAD = statement(
  'job_count_ahead',
  `SELECT count(*) AS ahead FROM job
    WHERE model = $1 AND claimable_at IS NOT NULL
      AND turn <= greatest(
        (SELECT turn FROM job AS head WHERE head.model = $1 AND claimable_at IS NOT NULL ORDER BY turn LIMIT 1),
        (SELECT own.turn + greatest(own.price_micros, 1) FROM job AS own
          WHERE own.model = $1 AND own.account_id = $2 AND own.claimable_at IS NOT NULL ORDER BY own.turn DESC LIMIT 1))`,
);

@Injectable()
export class JobProgressRepository {
  private readonly reads: BatchedStatement<string, ProgressRow | null>;

  constructor(private readonly database: Database) {
    this.reads = new BatchedStatement({ run: (ids) => this.readBatch(ids) });
  }

  findMany(batch: BatchItem<string>[]): Promise<PromiseSettledResult<ProgressRow | null>[]> {
    return this.reads.runBatch(batch);
  }

  readLoad(): Promise<ModelLoad[]> {
    return this.database.query<ModelLoad>(READ_LOAD);
  }

  /** How many jobs would be served before a job that the account creates now. */
  async countAhead(model: string, accountId: string): Promise<number> {
    return (await this.database.findOne<{ ahead: number }>(COUNT_AHEAD, [model, accountId]))?.ahead ?? 0;
  }

  private async readBatch(ids: string[]): Promise<(ProgressRow | null)[]> {
    const rows = await this.database.query<ProgressRow>(READ, [ids]);
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => found.get(id) ?? null);
  }
}
