import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { Idempotency } from '@kinora/contracts/jobs/jobs.rpc';

/** Longer than a create may take: a request that claimed a key and was not heard of for so long counts as dead. */
const CLAIM_LEASE_MS = 25_000;

/**
 * Takes a key that is free, forgotten after 24 hours, or left behind by a dead request. A dead request's job id is
 * resumed for the same body, so that what it had reserved is used and not reserved again; unless it was given up.
 */
const CLAIM = statement(
  'idempotency_claim',
  `INSERT INTO idempotency_key AS held (account_id, key, route, body_sha256, job_id) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (account_id, key) DO UPDATE
      SET route = EXCLUDED.route, body_sha256 = EXCLUDED.body_sha256, claimed_at = clock_timestamp(), accepted_at = NULL,
          job_id = CASE WHEN held.accepted_at IS NULL
                         AND (held.route, held.body_sha256) = (EXCLUDED.route, EXCLUDED.body_sha256)
                         AND NOT EXISTS (SELECT FROM job_tombstone WHERE job_tombstone.job_id = held.job_id)
                        THEN held.job_id ELSE EXCLUDED.job_id END
    WHERE held.accepted_at < clock_timestamp() - interval '24 hours'
       OR (held.accepted_at IS NULL AND held.claimed_at < clock_timestamp() - ${CLAIM_LEASE_MS} * interval '1 millisecond')
   RETURNING job_id`,
);

const FIND = statement(
  'idempotency_find',
  `SELECT route, body_sha256, job_id, accepted_at FROM idempotency_key
    WHERE account_id = $1 AND key = $2
      AND (accepted_at > clock_timestamp() - interval '24 hours'
           OR (accepted_at IS NULL AND claimed_at > clock_timestamp() - ${CLAIM_LEASE_MS} * interval '1 millisecond'))`,
);

const FREE = statement(
  'idempotency_free',
  'DELETE FROM idempotency_key WHERE account_id = $1 AND key = $2 AND job_id = $3 AND accepted_at IS NULL',
);

const ABANDON = statement(
  'idempotency_abandon',
  `UPDATE idempotency_key SET claimed_at = clock_timestamp() - ${CLAIM_LEASE_MS} * interval '1 millisecond'
    WHERE account_id = $1 AND key = $2 AND job_id = $3 AND accepted_at IS NULL`,
);

export const PURGE_PAGE = 1_000;

const PURGE = statement(
  'idempotency_purge',
  `DELETE FROM idempotency_key WHERE (account_id, key) IN (
     SELECT account_id, key FROM idempotency_key WHERE claimed_at < clock_timestamp() - interval '48 hours' LIMIT ${PURGE_PAGE})`,
);

export interface HeldKey {
  route: string;
  body_sha256: string;
  job_id: string;
  accepted_at: Date | null;
}

@Injectable()
export class IdempotencyKeyRepository {
  constructor(private readonly database: Database) {}

  /** The job id under which the caller may go on, or null while the key is somebody else's. */
  async claim(accountId: string, { key, route, body_sha256 }: Idempotency, jobId: string): Promise<string | null> {
    const row = await this.database.findOne<{ job_id: string }>(CLAIM, [accountId, key, route, body_sha256, jobId]);
    return row?.job_id ?? null;
  }

  find(accountId: string, key: string): Promise<HeldKey | null> {
    return this.database.findOne<HeldKey>(FIND, [accountId, key]);
  }

  /** The request was refused: only an accepted job binds a key. */
  async free(accountId: string, key: string, jobId: string): Promise<void> {
    await this.database.execute(FREE, [accountId, key, jobId]);
  }

  /** The request failed and may have reserved something: the next one with this key resumes its job id at once. */
  async abandon(accountId: string, key: string, jobId: string): Promise<void> {
    await this.database.execute(ABANDON, [accountId, key, jobId]);
  }

  purge(): Promise<number> {
    return this.database.execute(PURGE);
  }
}
