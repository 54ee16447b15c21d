import { Injectable } from '@nestjs/common';
import type { AccountStatus } from '@kinora/contracts/billing/account';
import { Database, BatchedStatement, statement } from '@kinora/database';
import type { BucketState } from './rate-decision';
import { type BucketRequest, type SharedBucket, type TokenRequest, groupByBucket, splitTokens } from './shared-bucket';

interface KeyOwner {
  account_id: string;
  api_key_id: string;
  account_status: AccountStatus;
  allowed_models: string[] | null;
}

export type AdmissionRow = KeyOwner & BucketState;

/** `place` is the 1-based position of the key in the batch. */
type KeyRow = KeyOwner & SharedBucket & { place: number };

/**
 * GCRA: a bucket is one timestamp, at which it will be full again. A token moves it forward by a minute / rpm. The free
 * tokens are those that fit between it and the time that is rpm steps from now. The step is whole microseconds, as in
 * PostgreSQL's timestamps, so that rpm steps make exactly rpm tokens. The clock is read once, from the database.
 * A bucket without a row is full: for a new key, and for every key after a crash of PostgreSQL, because the table is
 * unlogged. A crash loses at most the used tokens of one minute. In return, the commit of this statement needs no
 * write-ahead log flush. Statements about decisions, money and jobs do flush, because they must not lose anything.
 * Buckets are locked in the order of their keys, so that batches of several processes cannot deadlock.
 */
const ADMIT = statement(
  'rate_bucket_admit',
  `WITH clock AS MATERIALIZED (
     SELECT clock_timestamp() AS now
   ), request AS MATERIALIZED (
     SELECT given.place, given.tokens, api_key.id AS api_key_id, account.id AS account_id,
            account.status AS account_status, api_key.allowed_models, account.rate_limit_rpm, clock.now AS requested_at,
            greatest(60000000 / account.rate_limit_rpm, 1) * interval '1 microsecond' AS token
     FROM clock, unnest($1::bytea[], $2::bigint[]) WITH ORDINALITY AS given (hash, tokens, place)
          JOIN api_key ON api_key.hash = given.hash JOIN account ON account.id = api_key.account_id
     WHERE api_key.revoked_at IS NULL AND (api_key.expires_at IS NULL OR api_key.expires_at > clock.now)
   ), taken AS (
     INSERT INTO rate_bucket AS bucket (api_key_id, full_at, granted)
     SELECT api_key_id, requested_at + token * least(tokens, rate_limit_rpm), least(tokens, rate_limit_rpm)
     FROM request WHERE tokens > 0 ORDER BY api_key_id
     ON CONFLICT (api_key_id) DO UPDATE
     SET (full_at, granted) = (
       SELECT start.at + token * free.tokens, free.tokens
       FROM request,
            LATERAL (SELECT greatest(bucket.full_at, requested_at) AS at) AS start,
            LATERAL (SELECT least(request.tokens,
                       div(extract(epoch FROM requested_at + token * rate_limit_rpm - start.at), extract(epoch FROM token))::bigint
                     ) AS tokens) AS free
       WHERE request.api_key_id = bucket.api_key_id)
     WHERE bucket.full_at <= (
       SELECT requested_at + token * (rate_limit_rpm - 1) FROM request WHERE request.api_key_id = bucket.api_key_id)
     RETURNING api_key_id, full_at, granted
   )
   SELECT request.place, request.account_id, request.api_key_id, request.account_status, request.allowed_models,
          request.rate_limit_rpm, coalesce(taken.granted, 0) AS granted,
          (extract(epoch FROM request.token) * 1000000)::bigint AS token_micros,
          (extract(epoch FROM greatest(taken.full_at, bucket.full_at, request.requested_at) - request.requested_at) * 1000000)::bigint
            AS missing_micros
   FROM request LEFT JOIN taken USING (api_key_id) LEFT JOIN rate_bucket AS bucket USING (api_key_id)`,
);

/** Finds keys by their hashes and takes tokens from their buckets. Concurrent requests are batched into one statement. */
@Injectable()
export class AdmissionRepository {
  private readonly admissions: BatchedStatement<TokenRequest, AdmissionRow | null>;

  constructor(private readonly database: Database) {
    this.admissions = new BatchedStatement({
      run: (requests) => this.admitBatch(requests),
      // The account is not known yet, so fairness is per key: a flood of requests with one key queues behind itself.
      fairBy: ({ hash }) => hash.toString('latin1'),
    });
  }

  /** Null for a key that is unknown, revoked or expired; callers need no distinction. */
  admit(hash: Buffer, tokens: 0 | 1): Promise<AdmissionRow | null> {
    return this.admissions.run({ hash, tokens });
  }

  private async admitBatch(requests: TokenRequest[]): Promise<(AdmissionRow | null)[]> {
    const buckets = groupByBucket(requests);
    const rows = await this.database.query<KeyRow>(ADMIT, [
      buckets.map(({ hash }) => hash),
      buckets.map(({ tokens }) => tokens),
    ]);
    const admissions = requests.map((): AdmissionRow | null => null);
    for (const { place, account_id, api_key_id, account_status, allowed_models, ...bucket } of rows) {
      const { places } = buckets[place - 1] as BucketRequest;
      const states = splitTokens(
        bucket,
        places.map((each) => requests[each] as TokenRequest),
      );
      states.forEach((state, index) => {
        admissions[places[index] as number] = { account_id, api_key_id, account_status, allowed_models, ...state };
      });
    }
    return admissions;
  }
}
