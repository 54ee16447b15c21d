import { Injectable } from '@nestjs/common';
import { Database, type Statement, statement, inOpenMonths } from '@kinora/database';
import { LEASE_MS } from './attempt.repository';
import {
  AGE_PER_INTERVAL,
  ATTEMPT_COLUMNS,
  type AttemptProgress,
  type AttemptRow,
  type AttemptState,
  FIRST_POLL_MS,
  MAX_POLL_INTERVAL_MS,
} from './attempt.row';

/**
 * The time of the next poll. A poll has no effect at the backend, so two polls at once do no harm, and a poll needs no lease. A
 * poll without news costs this one write. Only an attempt that may still be in submission is taken over, by a new fencing
 * token.
 */
const NEXT_POLL = `
  fence = fence + CASE WHEN state IN ('submitting', 'answering') THEN 1 ELSE 0 END,
  checked_at = clock_timestamp(),
  next_check_at = clock_timestamp() + interval '1 millisecond' * CASE
    WHEN state IN ('submitting', 'answering') THEN ${LEASE_MS}
    ELSE least(greatest(extract(epoch FROM clock_timestamp() - attempt.created_at) * 1000 / ${AGE_PER_INTERVAL}, ${FIRST_POLL_MS}),
               ${MAX_POLL_INTERVAL_MS}) END`;

/** `state <> 'ended'` repeats the condition of the partial index; without it PostgreSQL does not use the index. */
const CLAIM_DUE = statement(
  'attempt_claim_polls',
  `WITH due AS (
     SELECT job_id, number FROM attempt
      WHERE provider = $1 AND state <> 'collecting' AND next_check_at <= statement_timestamp() AND state <> 'ended'
        AND ${inOpenMonths('job_id')}
      ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED
   )
   UPDATE attempt SET ${NEXT_POLL}
     FROM due WHERE attempt.job_id = due.job_id AND attempt.number = due.number
      AND attempt.job_id = ANY(ARRAY(SELECT job_id FROM due)) AND ${inOpenMonths('attempt.job_id')}
   RETURNING ${ATTEMPT_COLUMNS}`,
);

/** One statement, so that among many readers of one job only one polls the provider. */
const CLAIM_UNPOLLED = statement(
  'attempt_claim_unpolled',
  `UPDATE attempt SET ${NEXT_POLL}
    WHERE job_id = ANY($1::uuid[]) AND state IN ('unknown', 'accepted', 'running')
      AND checked_at < clock_timestamp() - $2 * interval '1 millisecond' AND ${inOpenMonths('job_id')}
   RETURNING ${ATTEMPT_COLUMNS}`,
);

/**
 * In these states nothing but a poll is under way, so no other process works on the attempt. The claim waits for locked rows,
 * because none may be missed.
 */
const CLAIM_OTHERS = statement(
  'attempt_claim_others',
  `WITH others AS (
     SELECT job_id, number FROM attempt
      WHERE provider = $1 AND state IN ('unknown', 'accepted', 'running') AND state <> 'ended' AND job_id <> ALL($2::uuid[])
        AND ${inOpenMonths('job_id')}
      ORDER BY job_id LIMIT $3 FOR UPDATE
   )
   UPDATE attempt SET ${NEXT_POLL}
     FROM others WHERE attempt.job_id = others.job_id AND attempt.number = others.number
      AND attempt.job_id = ANY(ARRAY(SELECT job_id FROM others)) AND ${inOpenMonths('attempt.job_id')}
   RETURNING ${ATTEMPT_COLUMNS}`,
);

const CLAIM_NAMED = statement(
  'attempt_claim_named',
  `UPDATE attempt SET ${NEXT_POLL}
    WHERE job_id = $1 AND number = $2 AND state IN ('unknown', 'accepted', 'running') AND ${inOpenMonths('job_id')}
   RETURNING ${ATTEMPT_COLUMNS}`,
);

/** The last condition selects the partial index, as above. */
const POLL_SOON = statement(
  'attempt_poll_soon',
  `UPDATE attempt SET next_check_at = clock_timestamp()
    WHERE provider = $1 AND upstream_id = $2 AND state IN ('unknown', 'accepted', 'running') AND state <> 'ended'
      AND ${inOpenMonths('job_id')}`,
);

/** The time for checking and storing outputs. */
const COLLECTION_TIME = `interval '60 seconds'`;

const SEEN = `unnest($1::uuid[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::json[], $9::json[], $10::boolean[], $11::text[], $12::real[], $13::integer[])
       AS seen (job_id, number, fence, from_state, state, next_poll_in_ms, problem, upstream_ref, spooled, parked, reason, progress, queued_ahead)`;

const recordFrom = (seen: string): string =>
  `UPDATE attempt SET state = seen.state, problem = seen.problem,
                      upstream_ref = coalesce(seen.upstream_ref, attempt.upstream_ref),
                      spooled = coalesce(seen.spooled, attempt.spooled),
                      parked = coalesce(seen.parked, attempt.parked),
                      reason = coalesce(seen.reason, attempt.reason),
                      progress = greatest(attempt.progress, seen.progress),
                      progress_at = CASE WHEN seen.progress > coalesce(attempt.progress, -1) THEN clock_timestamp()
                                         ELSE attempt.progress_at END,
                      queued_ahead = seen.queued_ahead,
                      next_check_at = clock_timestamp() + seen.next_poll_in_ms * interval '1 millisecond'
     FROM ${seen}
    WHERE attempt.job_id = seen.job_id AND attempt.number = seen.number AND attempt.fence = seen.fence
      AND attempt.state = coalesce(seen.from_state, attempt.state) AND attempt.state <> 'ended'
      AND attempt.job_id = ANY($1::uuid[]) AND ${inOpenMonths('attempt.job_id')}
   RETURNING attempt.job_id, attempt.state`;

const RECORD_PROGRESS = statement('attempt_record_progress', recordFrom(SEEN));

/**
 * The same for attempts that their providers have begun, whose jobs become `processing`. A job never goes back to `queued`, and
 * a restart at the provider does not change `started_at`. The run deadline leaves time for collecting outputs that were made in
 * time. The job is locked before its attempt, as in every statement, which prevents deadlocks.
 */
const RECORD_WORK = statement(
  'attempt_record_work',
  `WITH locked AS MATERIALIZED (
     SELECT id FROM job WHERE id = ANY($1::uuid[]) AND completed_at IS NULL AND ${inOpenMonths('id')} ORDER BY id FOR NO KEY UPDATE
   ), recorded AS (
     ${recordFrom(`locked JOIN ${SEEN} ON seen.job_id = locked.id`)}
   ), begun AS (
     UPDATE job SET status = 'processing',
                    started_at = coalesce(started_at, date_trunc('milliseconds', clock_timestamp())),
                    deadline_at = greatest(
                      CASE WHEN status = 'queued' THEN clock_timestamp() + (plan ->> 'run_timeout_ms')::bigint * interval '1 millisecond'
                           ELSE deadline_at END,
                      CASE WHEN recorded.state = 'collecting' THEN clock_timestamp() + ${COLLECTION_TIME} END)
       FROM recorded
      WHERE job.id = recorded.job_id AND job.id = ANY($1::uuid[]) AND ${inOpenMonths('job.id')}
        AND (status = 'queued' OR recorded.state = 'collecting' AND deadline_at < clock_timestamp() + ${COLLECTION_TIME})
   )
   SELECT job_id FROM recorded`,
);

/** The states in which a provider works on an attempt, or has worked on it. */
const AT_WORK: readonly AttemptState[] = ['answering', 'running', 'collecting'];

/** Claims open attempts for a poll, and records the results. */
@Injectable()
export class AttemptPollRepository {
  constructor(private readonly database: Database) {}

  claimDue(provider: string, limit: number): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(CLAIM_DUE, [provider, limit]);
  }

  /** The open attempts of these jobs that were not polled for this time. The caller then has to poll them. */
  claimUnpolled(jobIds: string[], unpolledForMs: number): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(CLAIM_UNPOLLED, [jobIds, unpolledForMs]);
  }

  /** The attempts that were sent to the provider, due or not, besides these. */
  claimOthers(provider: string, known: AttemptRow[], limit: number): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(CLAIM_OTHERS, [provider, known.map(({ job_id }) => job_id), limit]);
  }

  /** Null if there is nothing to poll: the attempt is not sent yet, is being collected, or has ended. */
  claimNamed({ job_id, number }: { job_id: string; number: number }): Promise<AttemptRow | null> {
    return this.database.findOne<AttemptRow>(CLAIM_NAMED, [job_id, number]);
  }

  /** Makes the attempt due now, by the id that its provider has for it. Does nothing if there is nothing to poll. */
  async pollSoon(provider: string, upstreamId: string): Promise<void> {
    await this.database.execute(POLL_SOON, [provider, upstreamId]);
  }

  /**
   * Records the news of many attempts and of their jobs. Returns the jobs whose attempts were still in the state that the
   * caller had read.
   */
  async recordProgress(progress: AttemptProgress[]): Promise<string[]> {
    const atWork = progress.filter(({ state }) => AT_WORK.includes(state));
    const others = progress.filter(({ state }) => !AT_WORK.includes(state));
    const recorded = await Promise.all([this.record(RECORD_WORK, atWork), this.record(RECORD_PROGRESS, others)]);
    return recorded.flat();
  }

  /** Sets the time at which the holder of the attempt continues. The job does not change. */
  async reschedule(progress: AttemptProgress): Promise<void> {
    await this.record(RECORD_PROGRESS, [progress]);
  }

  private async record(how: Statement, progress: AttemptProgress[]): Promise<string[]> {
    if (progress.length === 0) return [];
    const rows = await this.database.query<{ job_id: string }>(how, [
      progress.map(({ job_id }) => job_id),
      progress.map(({ number }) => number),
      progress.map(({ fence }) => fence),
      progress.map(({ from }) => from ?? null),
      progress.map(({ state }) => state),
      progress.map(({ next_poll_in_ms }) => Math.round(next_poll_in_ms)),
      progress.map(({ problem }) => problem),
      progress.map(({ upstream_ref }) => upstream_ref && JSON.stringify(upstream_ref)),
      progress.map(({ spooled }) => spooled && JSON.stringify(spooled)),
      progress.map(({ parked }) => parked ?? null),
      progress.map(({ reason }) => reason ?? null),
      progress.map(({ progress: reported }) => reported ?? null),
      progress.map(({ queued_ahead }) => queued_ahead ?? null),
    ]);
    return rows.map(({ job_id }) => job_id);
  }
}
