import { Injectable } from '@nestjs/common';
import { Database, BatchedStatement, statement } from '@kinora/database';
import type { Idempotency } from '@kinora/contracts/jobs/jobs.rpc';

/** Longer than a create without images may take. A request that has held a key for longer counts as dead. */
const CLAIM_LEASE_MS = 25_000;
/** The extra time for screening images. It is added to `claimed_at`, so that every release applies the same lease. */
const IMAGES_LEASE_MS = 20_000;

/**
 * Claims keys that are free, older than 24 hours, or left by a dead request. The id of a dead request is resumed for the same
 * body, unless it has a tombstone, so that an existing hold is used and not created again. A request whose own id has a tombstone
 * was abandoned by its caller, and claims nothing. Among several claims of one key in a
 * batch the first one counts. Keys are locked in order, which prevents deadlocks between batches.
 */
const CLAIM = statement(
  'idempotency_claim',
  `INSERT INTO idempotency_key AS held (account_id, key, route, body_sha256, job_id, claimed_at)
   SELECT DISTINCT ON (account_id, key) account_id, key, route, body_sha256, job_id,
          clock_timestamp() + CASE WHEN has_images THEN ${IMAGES_LEASE_MS} ELSE 0 END * interval '1 millisecond'
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::boolean[]) WITH ORDINALITY
       AS request (account_id, key, route, body_sha256, job_id, has_images, place)
    WHERE NOT EXISTS (SELECT FROM job_tombstone WHERE job_tombstone.job_id = request.job_id)
    ORDER BY account_id, key, place
   ON CONFLICT (account_id, key) DO UPDATE
      SET route = EXCLUDED.route, body_sha256 = EXCLUDED.body_sha256, claimed_at = EXCLUDED.claimed_at, accepted_at = NULL,
          job_id = CASE WHEN held.accepted_at IS NULL
                         AND (held.route, held.body_sha256) = (EXCLUDED.route, EXCLUDED.body_sha256)
                         AND NOT EXISTS (SELECT FROM job_tombstone WHERE job_tombstone.job_id = held.job_id)
                        THEN held.job_id ELSE EXCLUDED.job_id END
    WHERE held.accepted_at < clock_timestamp() - interval '24 hours'
       OR (held.accepted_at IS NULL AND held.claimed_at < clock_timestamp() - ${CLAIM_LEASE_MS} * interval '1 millisecond')
   RETURNING account_id, key, job_id`,
);

const FIND = statement(
  'idempotency_find',
  `SELECT account_id, key, route, body_sha256, job_id, accepted_at FROM idempotency_key
    WHERE (account_id, key) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
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
     SELECT account_id, key FROM idempotency_key WHERE claimed_at < statement_timestamp() - interval '48 hours'
      ORDER BY claimed_at LIMIT ${PURGE_PAGE})`,
);

export interface HeldKey {
  route: string;
  body_sha256: string;
  job_id: string;
  accepted_at: Date | null;
}

interface KeyName {
  account_id: string;
  key: string;
}

interface KeyClaim extends KeyName, Idempotency {
  job_id: string;
  has_images: boolean;
}

@Injectable()
export class IdempotencyKeyRepository {
  private readonly claims: BatchedStatement<KeyClaim, string | null>;
  private readonly finds: BatchedStatement<KeyName, HeldKey | null>;

  constructor(private readonly database: Database) {
    this.claims = new BatchedStatement({
      run: (claims) => this.claimBatch(claims),
      fairBy: ({ account_id }) => account_id,
    });
    this.finds = new BatchedStatement({
      run: (names) => this.findBatch(names),
      fairBy: ({ account_id }) => account_id,
    });
  }

  /** The job id that the caller may use, or null while another request holds the key. */
  claim(
    account_id: string,
    idempotency: Idempotency,
    { job_id, has_images }: { job_id: string; has_images: boolean },
  ): Promise<string | null> {
    return this.claims.run({ account_id, ...idempotency, job_id, has_images });
  }

  find(account_id: string, key: string): Promise<HeldKey | null> {
    return this.finds.run({ account_id, key });
  }

  /** The request was refused: only a stored job binds a key. */
  async free(accountId: string, key: string, jobId: string): Promise<void> {
    await this.database.execute(FREE, [accountId, key, jobId]);
  }

  /** The request failed and may have created a hold: the next request with this key resumes its job id at once. */
  async abandon(accountId: string, key: string, jobId: string): Promise<void> {
    await this.database.execute(ABANDON, [accountId, key, jobId]);
  }

  purge(): Promise<number> {
    return this.database.execute(PURGE);
  }

  private async claimBatch(claims: KeyClaim[]): Promise<(string | null)[]> {
    const rows = await this.database.query<KeyName & { job_id: string }>(CLAIM, [
      claims.map(({ account_id }) => account_id),
      claims.map(({ key }) => key),
      claims.map(({ route }) => route),
      claims.map(({ body_sha256 }) => body_sha256),
      claims.map(({ job_id }) => job_id),
      claims.map(({ has_images }) => has_images),
    ]);
    const taken = new Map(rows.map((row) => [nameOf(row), row.job_id]));
    return claims.map((claim) => {
      const jobId = taken.get(nameOf(claim)) ?? null;
      taken.delete(nameOf(claim));
      return jobId;
    });
  }

  private async findBatch(names: KeyName[]): Promise<(HeldKey | null)[]> {
    const values = [names.map(({ account_id }) => account_id), names.map(({ key }) => key)];
    const held = new Map((await this.database.query<HeldKey & KeyName>(FIND, values)).map((row) => [nameOf(row), row]));
    return names.map((name) => held.get(nameOf(name)) ?? null);
  }
}

function nameOf({ account_id, key }: KeyName): string {
  return `${account_id} ${key}`;
}
