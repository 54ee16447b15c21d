import { Injectable } from '@nestjs/common';
import type { JobKind, JobStatus } from '@kinora/contracts/jobs/job';
import { BatchedStatement, Database, statement, inMonthsOfIds, inOpenMonths } from '@kinora/database';
import { CachedRead } from './cached-read';

const FRESH_MS = 1_000;
/** Every so many places of a queue one is known. */
const SPACING = 100;

/** The whole queue of a model, by an index alone. */
const READ_MARKS = statement(
  'queue_marks_read',
  `SELECT turn, claimable_at
     FROM (SELECT turn, claimable_at, row_number() OVER (ORDER BY turn, claimable_at) AS place
             FROM job WHERE model = $1 AND claimable_at IS NOT NULL AND ${inOpenMonths('id')}) AS queue
    WHERE place % ${SPACING} = 0 ORDER BY turn, claimable_at`,
);

/** What the fair queue of a model is ordered by. */
export interface QueueRank {
  turn: number;
  claimable_at: Date;
}

/**
 * Places far behind in long queues. The queue of a model is read at most once a second, however many clients ask, so a read of
 * the progress costs the same with any number of waiting jobs.
 */
export class QueueMarks {
  private readonly marks = new Map<string, CachedRead<QueueRank[]>>();

  constructor(private readonly database: Database) {}

  /** How many jobs have a lower rank, rounded down to hundreds. */
  async countBefore(model: string, rank: QueueRank | { turn: number }): Promise<number> {
    const marks = await this.marksOf(model).get();
    return SPACING * marks.filter((mark) => isBefore(mark, rank)).length;
  }

  private marksOf(model: string): CachedRead<QueueRank[]> {
    const known = this.marks.get(model);
    if (known) return known;
    const marks = new CachedRead(FRESH_MS, () => this.database.query<QueueRank>(READ_MARKS, [model]));
    this.marks.set(model, marks);
    return marks;
  }
}

/** A rank without a time is behind all others of its turn. */
function isBefore(mark: QueueRank, rank: QueueRank | { turn: number }): boolean {
  if (mark.turn !== rank.turn) return mark.turn < rank.turn;
  return !('claimable_at' in rank) || mark.claimable_at < rank.claimable_at;
}

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
  /** How many jobs the fair queue serves before it, rounded down from 500 on; null where it does not wait there. */
  ahead: number | null;
  /** How many tasks are before it in the queue of its backend, where the backend reports it. */
  queued_ahead: number | null;
}

export interface ModelLoad {
  model: string;
  processing: number;
  /** Places in the queues of backends that report them: tasks that are served before the head of the fair queue. */
  backend_places: number;
  /** Jobs that have left the fair queue and have not begun. */
  handed_over: number;
  /** Whether jobs wait in the fair queue: as many as can are then processing. */
  is_saturated: boolean;
}

/** Places that are counted exactly. Behind them, `QueueMarks` tells the place, so that a read costs the same in any queue. */
const EXACT_PLACES = 500;

/** With its rank, where it waits in the fair queue. */
type RankedRow = ProgressRow & { turn: number; claimable_at: Date | null };

/**
 * One pass over the first places of each queue, however many of the given jobs are in it. The order is the one in which jobs are
 * claimed (`job_next_in_model_queue`).
 */
const READ = statement(
  'job_progress_read',
  `WITH requested AS MATERIALIZED (
     SELECT id, account_id, model, kind, status, input ->> 'size' AS size,
            coalesce((input ->> 'n')::integer, (input ->> 'duration')::integer, 1) AS count, provider, turn, claimable_at,
            (extract(epoch FROM clock_timestamp() - started_at) * 1000)::double precision AS elapsed_ms,
            coalesce(completed_at, started_at, created_at) AS changed_at, completed_at
       FROM job WHERE id = ANY($1::uuid[]) AND ${inMonthsOfIds('id')}
   ), queue AS MATERIALIZED (
     SELECT model, max(turn) AS last_turn FROM requested WHERE claimable_at IS NOT NULL GROUP BY model
   ), ranked AS (
     SELECT next.id, next.ahead FROM queue CROSS JOIN LATERAL (
       SELECT id, row_number() OVER (ORDER BY job.turn, job.claimable_at) - 1 AS ahead FROM job
        WHERE job.model = queue.model AND job.claimable_at IS NOT NULL AND job.turn <= queue.last_turn AND ${inOpenMonths('job.id')}
        ORDER BY job.turn, job.claimable_at LIMIT ${EXACT_PLACES}) AS next
   )
   SELECT requested.id, turn, claimable_at, account_id, model, kind, status, size, count, provider, elapsed_ms, ranked.ahead,
          reported.progress::double precision AS progress, open.queued_ahead,
          CASE WHEN completed_at IS NULL THEN greatest(changed_at, reported.progress_at) ELSE completed_at END AS updated_at
     FROM requested
     LEFT JOIN ranked ON ranked.id = requested.id
     LEFT JOIN LATERAL (
       SELECT max(attempt.progress) AS progress, max(attempt.progress_at) AS progress_at
         FROM attempt WHERE attempt.job_id = requested.id AND ${inMonthsOfIds('attempt.job_id')}) AS reported ON true
     LEFT JOIN LATERAL (
       SELECT attempt.queued_ahead FROM attempt WHERE attempt.job_id = requested.id AND attempt.state <> 'ended'
          AND ${inOpenMonths('attempt.job_id')}) AS open ON true`,
  { idsAt: 0 },
);

/** `OFFSET 0` keeps the planner from reading all jobs there are instead of those with an open attempt. */
const READ_LOAD = statement(
  'model_load_read',
  `SELECT model, sum(processing)::integer AS processing, sum(places)::integer AS backend_places,
          sum(handed_over)::integer AS handed_over,
          EXISTS (SELECT FROM job WHERE job.model = instance.model AND job.claimable_at IS NOT NULL
                      AND ${inOpenMonths('job.id')}) AS is_saturated
     FROM (SELECT job.model, attempt.provider, count(*) FILTER (WHERE job.status = 'processing') AS processing,
                  count(*) FILTER (WHERE job.status = 'queued' AND NOT attempt.parked) AS handed_over,
                  coalesce(max(attempt.queued_ahead) FILTER (WHERE attempt.state = 'accepted') + 1, 0) AS places
             FROM attempt CROSS JOIN LATERAL (
                    SELECT model, status FROM job WHERE job.id = attempt.job_id AND ${inOpenMonths('job.id')} OFFSET 0) AS job
            WHERE attempt.state <> 'ended' AND ${inOpenMonths('attempt.job_id')} GROUP BY job.model, attempt.provider) AS instance
    GROUP BY model`,
);

/** A new job of the account gets the rank that `QUEUE_RANK` (job-insert.repository.ts) computes: behind its own waiting jobs. */
const COUNT_AHEAD = statement(
  'job_count_ahead',
  `SELECT last.turn, (
     SELECT count(*) FROM (SELECT FROM job WHERE model = $1 AND claimable_at IS NOT NULL AND job.turn <= last.turn
                              AND ${inOpenMonths('id')}
                            ORDER BY job.turn LIMIT ${EXACT_PLACES}) AS first) AS ahead
     FROM (SELECT greatest(
       (SELECT turn FROM job AS head WHERE head.model = $1 AND claimable_at IS NOT NULL AND ${inOpenMonths('id')} ORDER BY turn LIMIT 1),
       (SELECT own.turn + greatest(own.price_micros, 1) FROM job AS own
         WHERE own.model = $1 AND own.account_id = $2 AND own.claimable_at IS NOT NULL AND ${inOpenMonths('own.id')} ORDER BY own.turn DESC LIMIT 1)) AS turn
     ) AS last`,
);

@Injectable()
export class JobProgressRepository {
  private readonly reads: BatchedStatement<string, ProgressRow | null>;
  private readonly marks: QueueMarks;

  constructor(private readonly database: Database) {
    this.marks = new QueueMarks(database);
    this.reads = new BatchedStatement({ run: (ids) => this.readBatch(ids) });
  }

  find(jobId: string): Promise<ProgressRow | null> {
    return this.reads.run(jobId);
  }

  readLoad(): Promise<ModelLoad[]> {
    return this.database.query<ModelLoad>(READ_LOAD);
  }

  /** How many jobs would be served before a job that the account creates now. */
  async countAhead(model: string, accountId: string): Promise<number> {
    const found = await this.database.findOne<{ turn: number; ahead: number }>(COUNT_AHEAD, [model, accountId]);
    if (!found) return 0;
    return found.ahead < EXACT_PLACES ? found.ahead : await this.countFarAhead(model, { turn: found.turn });
  }

  private async readBatch(ids: string[]): Promise<(ProgressRow | null)[]> {
    const rows = await this.database.queryIds<RankedRow>(READ, ids);
    const placed = await Promise.all(rows.map((row) => this.place(row)));
    const found = new Map(placed.map((row) => [row.id, row]));
    return ids.map((id) => found.get(id) ?? null);
  }

  private async place({ turn, claimable_at, ...row }: RankedRow): Promise<ProgressRow> {
    if (claimable_at === null || row.ahead !== null) return row;
    return { ...row, ahead: await this.countFarAhead(row.model, { turn, claimable_at }) };
  }

  /** The marks may be a second old, so they may count fewer jobs than the exact pass has found. */
  private async countFarAhead(model: string, rank: QueueRank | { turn: number }): Promise<number> {
    return Math.max(EXACT_PLACES, await this.marks.countBefore(model, rank));
  }
}
