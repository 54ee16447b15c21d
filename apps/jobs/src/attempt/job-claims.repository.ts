import { Injectable } from '@nestjs/common';
import { Database, type Queryable, statement } from '@kinora/database';
import { JOB_COLUMNS, type JobRow } from '../job/job.row';
import { ATTEMPT_COLUMNS, LEASE_MS } from './attempt.repository';
import type { AttemptRow } from './attempt.row';

/** A job that waits, as far as it matters for where it can be sent. */
export interface WaitingJob {
  job: JobRow;
  /** The instances at which it has failed, and is not tried again. */
  failedAt: string[];
}

/** A job that is to be sent, with the attempt that was opened for it. */
export interface ClaimedJob<Choice> {
  job: JobRow;
  attempt: AttemptRow;
  choice: Choice;
}

/** One step along the index a lane, however many jobs wait in it. */
const LANES = statement(
  'job_lanes',
  `WITH RECURSIVE lane AS (
     (SELECT model FROM job WHERE claimable_at IS NOT NULL ORDER BY model LIMIT 1)
     UNION ALL
     SELECT (SELECT job.model FROM job WHERE claimable_at IS NOT NULL AND job.model > lane.model ORDER BY job.model LIMIT 1)
       FROM lane WHERE lane.model IS NOT NULL
   )
   SELECT model FROM lane WHERE model IS NOT NULL`,
);

/** Not clock_timestamp(), which changes from row to row and so cannot be looked for in an index. */
export const NEXT_IN_LANE = statement(
  'job_next_in_lane',
  `SELECT ${JOB_COLUMNS},
          ARRAY(SELECT provider FROM attempt WHERE attempt.job_id = job.id AND outcome = 'failed') AS failed_at
     FROM job WHERE model = $1 AND claimable_at IS NOT NULL AND claimable_at <= statement_timestamp()
    ORDER BY turn, claimable_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
);

/** The attempt is written before anything is sent, so that no submission can be forgotten. */
const OPEN = statement(
  'attempt_open',
  `WITH claimed AS (
     UPDATE job SET claimable_at = NULL FROM unnest($1::uuid[], $2::text[]) AS chosen (job_id, provider)
      WHERE job.id = chosen.job_id
     RETURNING job.id, chosen.provider, 1 + (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id) AS number
   )
   INSERT INTO attempt (job_id, number, provider, upstream_id, next_check_at)
   SELECT id, number, provider, id::text || '-' || number, clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
     FROM claimed
   RETURNING ${ATTEMPT_COLUMNS}`,
);

/** What cannot be sent anywhere just now makes room for those behind it. */
const STEP_ASIDE = statement(
  'job_step_aside',
  `UPDATE job SET claimable_at = clock_timestamp() + interval '1 second' WHERE id = ANY($1::uuid[])`,
);

/** The line in front of each model: who is next, and the claim of those who are. */
@Injectable()
export class JobClaimsRepository {
  constructor(private readonly database: Database) {}

  /** The models that somebody waits for. */
  async listLanes(): Promise<string[]> {
    return (await this.database.query<{ model: string }>(LANES)).map(({ model }) => model);
  }

  /** Claims the next so many jobs of a lane and opens an attempt for each that is given a place to go to. */
  open<Choice extends { provider: { id: string } }>(
    model: string,
    limit: number,
    choose: (waiting: WaitingJob) => Choice | null,
  ): Promise<ClaimedJob<Choice>[]> {
    return this.database.transaction(async (transaction) => {
      const next = await transaction.query<JobRow & { failed_at: string[] }>(NEXT_IN_LANE, [model, limit]);
      const chosen = next.map(({ failed_at: failedAt, ...job }) => ({ job, choice: choose({ job, failedAt }) }));
      const aside = chosen.filter(({ choice }) => choice === null).map(({ job }) => job.id);
      if (aside.length > 0) await transaction.execute(STEP_ASIDE, [aside]);
      return await openAttempts(
        transaction,
        chosen.flatMap(({ job, choice }) => (choice === null ? [] : [{ job, choice }])),
      );
    });
  }
}

async function openAttempts<Choice extends { provider: { id: string } }>(
  transaction: Queryable,
  chosen: { job: JobRow; choice: Choice }[],
): Promise<ClaimedJob<Choice>[]> {
  if (chosen.length === 0) return [];
  const jobIds = chosen.map(({ job }) => job.id);
  const providers = chosen.map(({ choice }) => choice.provider.id);
  const attempts = await transaction.query<AttemptRow>(OPEN, [jobIds, providers]);
  return chosen.flatMap((one) => {
    const attempt = attempts.find(({ job_id }) => job_id === one.job.id);
    return attempt ? [{ ...one, attempt }] : [];
  });
}
