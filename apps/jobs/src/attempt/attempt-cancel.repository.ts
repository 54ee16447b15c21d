import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import { ATTEMPT_COLUMNS } from './attempt.repository';
import type { AttemptClaim, AttemptOutcome, AttemptProgress, AttemptRow, CancelResult } from './attempt.row';

/** How many a sweep takes at once. */
export const CANCEL_PAGE = 50;

/** An ended attempt that its provider is to stop and to forget. */
export interface AttemptToCancel extends AttemptRow {
  outcome: AttemptOutcome;
  /** This one included. */
  cancel_tries: number;
}

/** Only what has ended: an attempt that is merely somebody else's now is wanted, and is the same task at its provider. */
const WANT = statement(
  'attempt_want_cancel',
  `UPDATE attempt SET cancel_at = clock_timestamp(), cancel_tries = 0, cancel_outcome = NULL,
                      upstream_ref = coalesce($3, upstream_ref), spooled = coalesce($4, spooled)
    WHERE job_id = $1 AND number = $2 AND state = 'ended'`,
);

/** Each try is longer away than the one before. Two at once would do no harm, and only the later one says how it went. */
const CLAIM = statement(
  'attempt_claim_cancels',
  `WITH due AS (
     SELECT job_id, number FROM attempt WHERE cancel_at <= clock_timestamp()
      ORDER BY cancel_at LIMIT ${CANCEL_PAGE} FOR UPDATE SKIP LOCKED
   )
   UPDATE attempt SET cancel_tries = cancel_tries + 1,
                      cancel_at = clock_timestamp() + least(2 ^ (cancel_tries + 1), 120) * interval '1 second'
     FROM due WHERE attempt.job_id = due.job_id AND attempt.number = due.number
   RETURNING ${ATTEMPT_COLUMNS}, attempt.outcome, attempt.cancel_tries`,
);

const FINISH = statement(
  'attempt_finish_cancel',
  `UPDATE attempt SET cancel_at = NULL, cancel_outcome = $3, gpu_ms = coalesce($4, gpu_ms)
    WHERE job_id = $1 AND number = $2 AND cancel_at IS NOT NULL AND cancel_tries = $5`,
);

/** The command to cancel an ended attempt at its provider, in its row: it outlives every process until its outcome is known. */
@Injectable()
export class AttemptCancelRepository {
  constructor(private readonly database: Database) {}

  /** For an answer that came when nobody wanted it any more. False, and nothing happens, while the attempt is open. */
  async want(
    { job_id, number }: AttemptClaim,
    { upstream_ref, spooled }: Pick<AttemptProgress, 'upstream_ref' | 'spooled'>,
  ): Promise<boolean> {
    const told = [upstream_ref, spooled].map((one) => (one ? JSON.stringify(one) : null));
    return (await this.database.execute(WANT, [job_id, number, ...told])) === 1;
  }

  claim(): Promise<AttemptToCancel[]> {
    return this.database.query<AttemptToCancel>(CLAIM);
  }

  /** The GPU time is kept where it is told; what was known of it before stays otherwise. */
  async finish(attempt: AttemptToCancel, { outcome, gpuMs }: CancelResult): Promise<void> {
    const { job_id, number, cancel_tries } = attempt;
    await this.database.execute(FINISH, [job_id, number, outcome, gpuMs, cancel_tries]);
  }
}
