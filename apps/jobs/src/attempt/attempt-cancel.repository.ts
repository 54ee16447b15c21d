import { Injectable } from '@nestjs/common';
import { Database, BatchedStatement, statement, inMonthsOfIds, inOpenMonths } from '@kinora/database';
import type { CanceledWork } from '@kinora/contracts/jobs/job-history';
import { PAGE } from '../job/job.repository';
import {
  ATTEMPT_COLUMNS,
  type AttemptClaim,
  type AttemptOutcome,
  type AttemptProgress,
  type AttemptRow,
  type CancelResult,
} from './attempt.row';

/** An ended attempt that its provider has to stop and delete. */
export interface AttemptToCancel extends AttemptRow {
  outcome: AttemptOutcome;
  /** Including this try. */
  cancel_tries: number;
}

/** A cancel whose result is known. */
interface FinishedCancel {
  attempt: AttemptToCancel;
  result: CancelResult;
}

/** Only ended attempts: an attempt that another process has taken over is the same task at its provider and must go on. */
const WANT = statement(
  'attempt_want_cancel',
  `UPDATE attempt SET cancel_at = clock_timestamp(), cancel_tries = 0, cancel_outcome = NULL,
                      upstream_ref = coalesce($3, upstream_ref), spooled = coalesce($4, spooled)
    WHERE job_id = $1 AND number = $2 AND state = 'ended' AND ${inMonthsOfIds('job_id')}`,
  { idsAt: 0 },
);

/** The pause doubles with each try. Two tries at once do no harm: only the later one records its result. */
const CLAIM = statement(
  'attempt_claim_cancels',
  `WITH due AS (
     SELECT job_id, number FROM attempt WHERE cancel_at <= statement_timestamp() AND ${inOpenMonths('job_id')}
      ORDER BY cancel_at LIMIT ${PAGE} FOR UPDATE SKIP LOCKED
   )
   UPDATE attempt SET cancel_tries = cancel_tries + 1,
                      cancel_at = clock_timestamp() + least(2 ^ (cancel_tries + 1), 120) * interval '1 second'
     FROM due WHERE attempt.job_id = due.job_id AND attempt.number = due.number
      AND attempt.job_id = ANY(ARRAY(SELECT job_id FROM due)) AND ${inOpenMonths('attempt.job_id')}
   RETURNING ${ATTEMPT_COLUMNS}, attempt.outcome, attempt.cancel_tries`,
);

/**
 * Records the results and adds them to the counts of the accounts. One statement does both, so nothing is counted twice. The
 * attempt of a success is not counted. Only GPU time that `counted_gpu_ms` does not hold yet is added: the GPU time of a
 * failure is known before its cancel, and a second cancel may report more than the first. Attempts and accounts are locked in
 * the order of their ids, which prevents deadlocks between two batches.
 */
const FINISH = statement(
  'attempt_finish_cancel',
  `WITH known AS MATERIALIZED (
     SELECT job_id, number, attempt.counted_gpu_ms, attempt.outcome, result.cancel_outcome,
            coalesce(result.gpu_ms, attempt.gpu_ms) AS gpu_ms
       FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::bigint[], $5::integer[])
         AS result (job_id, number, cancel_outcome, gpu_ms, cancel_tries) JOIN attempt USING (job_id, number)
      WHERE cancel_at IS NOT NULL AND attempt.cancel_tries = result.cancel_tries
        AND attempt.job_id = ANY($1::uuid[]) AND ${inOpenMonths('attempt.job_id')}
      ORDER BY job_id, number FOR UPDATE OF attempt
   ), finished AS (
     UPDATE attempt SET cancel_at = NULL, cancel_outcome = known.cancel_outcome,
                        gpu_ms = known.gpu_ms, counted_gpu_ms = known.gpu_ms
       FROM known WHERE attempt.job_id = known.job_id AND attempt.number = known.number
        AND attempt.job_id = ANY($1::uuid[]) AND ${inOpenMonths('attempt.job_id')}
     RETURNING attempt.job_id, known.outcome, known.cancel_outcome,
               greatest(known.gpu_ms - coalesce(known.counted_gpu_ms, 0), 0) AS new_gpu_ms
   )
   INSERT INTO canceled_work AS counted (account_id, attempts, too_late, gpu_ms)
   SELECT job.account_id, count(*), count(*) FILTER (WHERE cancel_outcome = 'too_late'), coalesce(sum(new_gpu_ms), 0)
     FROM finished JOIN job ON job.id = finished.job_id AND job.id = ANY($1::uuid[]) AND ${inOpenMonths('job.id')} WHERE outcome <> 'succeeded'
    GROUP BY job.account_id ORDER BY job.account_id
   ON CONFLICT (account_id) DO UPDATE SET attempts = counted.attempts + excluded.attempts,
     too_late = counted.too_late + excluded.too_late, gpu_ms = counted.gpu_ms + excluded.gpu_ms`,
);

const FIND_CANCELED_WORK = statement(
  'canceled_work_find',
  'SELECT attempts, too_late, gpu_ms FROM canceled_work WHERE account_id = $1',
);

/** Cancels of ended attempts. They are columns of the attempt, so they outlive the process until their result is known. */
@Injectable()
export class AttemptCancelRepository {
  private readonly finishes: BatchedStatement<FinishedCancel, void>;

  constructor(private readonly database: Database) {
    this.finishes = new BatchedStatement({ run: (finished) => this.finishBatch(finished) });
  }

  /** For an answer that arrives after the attempt has ended. Returns false, and changes nothing, while the attempt is open. */
  async want(
    { job_id, number }: AttemptClaim,
    { upstream_ref, spooled }: Pick<AttemptProgress, 'upstream_ref' | 'spooled'>,
  ): Promise<boolean> {
    const values = [upstream_ref, spooled].map((one) => (one ? JSON.stringify(one) : null));
    return (await this.database.execute(WANT, [job_id, number, ...values])) === 1;
  }

  claim(): Promise<AttemptToCancel[]> {
    return this.database.query<AttemptToCancel>(CLAIM);
  }

  /** Stores the GPU time where the provider reports it; otherwise the value known before stays. */
  finish(attempt: AttemptToCancel, result: CancelResult): Promise<void> {
    return this.finishes.run({ attempt, result });
  }

  /** The GPU time that an account's attempts have cost without a success. */
  async findCanceledWork(accountId: string): Promise<CanceledWork> {
    const found = await this.database.findOne<CanceledWork & object>(FIND_CANCELED_WORK, [accountId]);
    return found ?? { attempts: 0, too_late: 0, gpu_ms: 0 };
  }

  private async finishBatch(finished: FinishedCancel[]): Promise<void[]> {
    await this.database.execute(FINISH, [
      finished.map(({ attempt }) => attempt.job_id),
      finished.map(({ attempt }) => attempt.number),
      finished.map(({ result }) => result.outcome),
      finished.map(({ result }) => result.gpuMs),
      finished.map(({ attempt }) => attempt.cancel_tries),
    ]);
    return finished.map(() => undefined);
  }
}
