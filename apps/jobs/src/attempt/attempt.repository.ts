import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Statement, statement } from '@kinora/database';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import type { JsonObject } from '../providers/json';
import type { AttemptClaim, AttemptOutcome, AttemptProgress, AttemptRow } from './attempt.row';

/** Long enough for any single step; after it, whoever had claimed an attempt counts as dead. */
export const LEASE_MS = 30_000;

export const ATTEMPT_COLUMNS = `attempt.job_id, attempt.number, attempt.fence, attempt.provider, attempt.state, attempt.upstream_id, attempt.upstream_ref,
  attempt.spooled, (extract(epoch FROM clock_timestamp() - attempt.created_at) * 1000)::bigint AS age_ms`;

/** The attempt is written before anything is sent, so that no submission can be forgotten. */
const OPEN = statement(
  'attempt_open',
  `WITH candidate AS (
     SELECT id FROM job WHERE provider = $1 AND claimable_at <= clock_timestamp()
      ORDER BY claimable_at LIMIT $2 FOR UPDATE SKIP LOCKED
   ), claimed AS (
     UPDATE job SET claimable_at = NULL FROM candidate
      WHERE job.id = candidate.id AND job.completed_at IS NULL
     RETURNING job.id, 1 + (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id) AS number
   )
   INSERT INTO attempt (job_id, number, provider, upstream_id, next_check_at)
   SELECT id, number, $1, id::text || '-' || number, clock_timestamp() + ${LEASE_MS} * interval '1 millisecond' FROM claimed
   RETURNING ${ATTEMPT_COLUMNS}`,
);

const COUNT_OPEN = statement(
  'attempt_count_open',
  `SELECT count(*) AS count FROM attempt WHERE provider = $1 AND state <> 'ended'`,
);

/** Which states are asked for is not known to the plan that is kept: without the last condition it could not go by the index. */
const CLAIM_DUE = statement(
  'attempt_claim_due',
  `WITH due AS (
     SELECT job_id, number FROM attempt
      WHERE provider = $1 AND state = ANY($2::text[]) AND next_check_at <= clock_timestamp() AND state <> 'ended'
      ORDER BY next_check_at LIMIT $3 FOR UPDATE SKIP LOCKED
   )
   UPDATE attempt SET fence = fence + 1, checked_at = clock_timestamp(),
                      next_check_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
     FROM due WHERE attempt.job_id = due.job_id AND attempt.number = due.number
   RETURNING ${ATTEMPT_COLUMNS}`,
);

/** One statement, so that of many readers of one job only one asks the provider. */
const CLAIM_UNCHECKED = statement(
  'attempt_claim_unchecked',
  `UPDATE attempt SET fence = fence + 1, checked_at = clock_timestamp(),
                      next_check_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
    WHERE job_id = $1 AND state IN ('unknown', 'accepted', 'running')
      AND checked_at < clock_timestamp() - $2 * interval '1 millisecond'
   RETURNING ${ATTEMPT_COLUMNS}`,
);

const RECORD_PROGRESS = statement(
  'attempt_record_progress',
  `UPDATE attempt SET state = seen.state, problem = seen.problem,
                      upstream_ref = coalesce(seen.upstream_ref, attempt.upstream_ref),
                      spooled = coalesce(seen.spooled, attempt.spooled),
                      next_check_at = clock_timestamp() + seen.next_check_in_ms * interval '1 millisecond'
     FROM unnest($1::uuid[], $2::integer[], $3::integer[], $4::text[], $5::integer[], $6::text[],
                 $7::json[], $8::json[])
       AS seen (job_id, number, fence, state, next_check_in_ms, problem, upstream_ref, spooled)
    WHERE attempt.job_id = seen.job_id AND attempt.number = seen.number AND attempt.fence = seen.fence
      AND attempt.state <> 'ended'
   RETURNING attempt.job_id`,
);

const HELD = `unnest($1::uuid[], $2::integer[], $3::integer[]) AS held (job_id, number, fence)`;
const IS_HELD = `attempt.job_id = held.job_id AND attempt.number = held.number AND attempt.fence = held.fence AND attempt.state <> 'ended'`;

const RENEW = statement(
  'attempt_renew',
  `UPDATE attempt SET next_check_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
     FROM ${HELD} WHERE ${IS_HELD} RETURNING attempt.job_id`,
);

const FIND_HELD = statement('attempt_find_held', `SELECT attempt.job_id FROM ${HELD} JOIN attempt ON ${IS_HELD}`);

/**
 * What a backend may still hold of an ended attempt it is told to stop and forget. A submission that is on its way is
 * only proven to have arrived, or not, by who sends it; where that one is dead, a cancel under our own id may help.
 */
const CANCEL_AT = (outcome: string): string => `CASE
  WHEN ${outcome} IN ('canceled', 'timed_out') OR (${outcome} IN ('succeeded', 'failed') AND state <> 'submitting')
  THEN clock_timestamp() END`;

const CLOSE = statement(
  'attempt_close',
  `UPDATE attempt SET state = 'ended', outcome = $4, ended_at = clock_timestamp(), problem = coalesce($5, problem),
                      gpu_ms = $6, cancel_at = ${CANCEL_AT('$4')}
    WHERE job_id = $1 AND number = $2 AND fence = $3 AND state <> 'ended'`,
);

const CLOSE_OF_JOB = statement(
  'attempt_close_of_job',
  `UPDATE attempt SET state = 'ended', outcome = $2, ended_at = clock_timestamp(), fence = fence + 1,
                      cancel_at = ${CANCEL_AT('$2')}
    WHERE job_id = $1 AND state <> 'ended'`,
);

const REQUEUE_JOB = statement(
  'attempt_requeue_job',
  `UPDATE job SET claimable_at = clock_timestamp() + $2 * interval '1 millisecond'
    WHERE id = $1 AND completed_at IS NULL AND claimable_at IS NULL`,
);

/** Only what nobody knows is believed: a reference that the backend told in its answer stands. */
const ADOPT_REF = statement(
  'attempt_adopt_ref',
  `UPDATE attempt SET upstream_ref = $3::json
    WHERE job_id = $1 AND number = $2 AND upstream_ref IS NULL AND state IN ('submitting', 'unknown')`,
);

const COUNT_LOST = statement(
  'attempt_count_lost',
  `SELECT count(*) AS count FROM attempt WHERE job_id = $1 AND outcome = 'lost'`,
);

@Injectable()
export class AttemptRepository {
  constructor(private readonly database: Database) {}

  /** Claims up to so many waiting jobs of a provider and opens an attempt for each. */
  open(provider: string, limit: number): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(OPEN, [provider, limit]);
  }

  async countOpen(provider: string): Promise<number> {
    return (await this.database.findOne<{ count: number }>(COUNT_OPEN, [provider]))?.count ?? 0;
  }

  claimDue(provider: string, states: AttemptRow['state'][], limit: number): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(CLAIM_DUE, [provider, states, limit]);
  }

  /** The job's open attempt, if nobody has looked at it for so long; looking again is then the caller's. */
  claimUnchecked(jobId: string, uncheckedForMs: number): Promise<AttemptRow | null> {
    return this.database.findOne<AttemptRow>(CLAIM_UNCHECKED, [jobId, uncheckedForMs]);
  }

  /** Records a look at many attempts at once. Returns the jobs of those that were still the caller's. */
  async recordProgress(progress: AttemptProgress[]): Promise<string[]> {
    if (progress.length === 0) return [];
    const rows = await this.database.query<{ job_id: string }>(RECORD_PROGRESS, [
      progress.map(({ job_id }) => job_id),
      progress.map(({ number }) => number),
      progress.map(({ fence }) => fence),
      progress.map(({ state }) => state),
      progress.map(({ next_check_in_ms }) => Math.round(next_check_in_ms)),
      progress.map(({ problem }) => problem),
      progress.map(({ upstream_ref }) => upstream_ref && JSON.stringify(upstream_ref)),
      progress.map(({ spooled }) => spooled && JSON.stringify(spooled)),
    ]);
    return rows.map(({ job_id }) => job_id);
  }

  /** Returns the jobs of those claims that are still good; those attempts stay claimed for another while. */
  renew(claims: AttemptClaim[]): Promise<Set<string>> {
    return this.listHeld(RENEW, claims);
  }

  /** Returns the jobs of those claims that are still good. */
  findHeld(claims: AttemptClaim[]): Promise<Set<string>> {
    return this.listHeld(FIND_HELD, claims);
  }

  /** Ends an attempt and puts its job back in line. False when either has ended or changed hands meanwhile. */
  async requeue(
    { job_id, number, fence }: AttemptClaim,
    reason: { outcome: AttemptOutcome; problem: JobErrorCode | null; delay_ms: number },
  ): Promise<boolean> {
    try {
      return await this.database.transaction(async (transaction) => {
        // The job before its attempt, here as everywhere: two orders would deadlock.
        const open = await transaction.execute(REQUEUE_JOB, [job_id, reason.delay_ms]);
        const closed = await transaction.execute(CLOSE, [job_id, number, fence, reason.outcome, reason.problem, null]);
        if (open === 1 && closed === 0) throw new AttemptChangedHands();
        return open === 1;
      });
    } catch (error) {
      if (error instanceof AttemptChangedHands) return false;
      throw error;
    }
  }

  /** Ends an attempt in the transaction that ends its job. False when somebody else holds it by now. */
  async close(
    transaction: Queryable,
    { job_id, number, fence }: AttemptClaim,
    { outcome, gpuMs }: { outcome: AttemptOutcome; gpuMs: number | null },
  ): Promise<boolean> {
    return (await transaction.execute(CLOSE, [job_id, number, fence, outcome, null, gpuMs])) === 1;
  }

  /** Ends whatever attempt the job has open, whoever holds it: the holder's next write will miss. */
  async closeOfJob(transaction: Queryable, jobId: string, outcome: AttemptOutcome): Promise<void> {
    await transaction.execute(CLOSE_OF_JOB, [jobId, outcome]);
  }

  /** Learns how the backend names a task whose submission's answer was lost, or is late. */
  async adoptRef(attempt: { job_id: string; attempt_number: number }, ref: JsonObject): Promise<void> {
    await this.database.execute(ADOPT_REF, [attempt.job_id, attempt.attempt_number, JSON.stringify(ref)]);
  }

  async countLost(jobId: string): Promise<number> {
    return (await this.database.findOne<{ count: number }>(COUNT_LOST, [jobId]))?.count ?? 0;
  }

  private async listHeld(which: Statement, claims: AttemptClaim[]): Promise<Set<string>> {
    if (claims.length === 0) return new Set();
    const rows = await this.database.query<{ job_id: string }>(which, [
      claims.map(({ job_id }) => job_id),
      claims.map(({ number }) => number),
      claims.map(({ fence }) => fence),
    ]);
    return new Set(rows.map(({ job_id }) => job_id));
  }
}

/** Undoes a write about an attempt that another worker has claimed meanwhile. */
export class AttemptChangedHands extends Error {}
