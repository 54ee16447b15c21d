import { Injectable } from '@nestjs/common';
import type { AccountStatus } from '@kinora/contracts/billing/account';
import type { KeyScope } from '@kinora/contracts/billing/api-key-format';
import { Database, BatchedStatement, statement } from '@kinora/database';
import {
  type BucketPart,
  type BucketRequest,
  type SharedBucket,
  type TokenRequest,
  groupByBucket,
  splitTokens,
} from './rate-bucket';

interface KeyOwner {
  account_id: string;
  api_key_id: string;
  account_status: AccountStatus;
  scope: KeyScope;
  allowed_models: string[] | null;
  price_group: string | null;
}

export interface AdmissionRow extends KeyOwner, BucketPart {
  /** The time until the bucket is full again, with the tokens of all requests of the statement and of the lease. */
  full_in_micros: number;
  /** How long a lease of this statement lasts. */
  lease_ms: number;
  /** Only where no token was left: whether one may come back before it refills, from a lease or a concurrent statement. */
  may_return: boolean;
}

/** `place` is the 1-based position of the key in the batch. */
type KeyRow = KeyOwner & SharedBucket & Pick<AdmissionRow, 'lease_ms' | 'may_return'> & { place: number };

/** A lease takes at most this part of the tokens that are left, so that a bucket that runs low is leased to none. */
const LEASABLE_PART = 8;

/**
 * The tokens to take of so many free ones: those of the requests first, then a lease out of what is left.
 * @param free SQL, like the result.
 */
const take = (free: string): string =>
  `least(${free}, request.tokens + least(request.lease_tokens, greatest(${free} - request.tokens, 0) / ${LEASABLE_PART}))`;

/**
 * GCRA: a bucket is one timestamp, at which it will be full again. A token moves it forward by a minute / rpm. The free
 * tokens are those that fit between it and the time that is rpm steps from now. The step is whole microseconds, as in
 * PostgreSQL's timestamps, so that rpm steps make exactly rpm tokens. The clock is read once, from the database.
 * A lease takes its tokens at once, like a request for all of them. It gets one second of refill beyond what was
 * requested, because unspent tokens of a lease expire as fast as the bucket refills (`TokenLease` of the gateway).
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
            account.status AS account_status, api_key.scope, api_key.allowed_models, account.price_group,
            account.rate_limit_rpm, clock.now AS requested_at,
            refill.micros AS token_micros, refill.micros * interval '1 microsecond' AS token,
            CASE WHEN given.lease_tokens > 0 THEN given.lease_tokens + 1000000 / refill.micros + 1 ELSE 0 END AS lease_tokens,
            least(clock.now + interval '1 second', api_key.expires_at) AS lease_end
     FROM clock, unnest($1::bytea[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS given (hash, tokens, lease_tokens, place)
          JOIN api_key ON api_key.hash = given.hash JOIN account ON account.id = api_key.account_id,
          LATERAL (SELECT greatest(60000000 / account.rate_limit_rpm, 1) AS micros) AS refill
     WHERE api_key.revoked_at IS NULL AND (api_key.expires_at IS NULL OR api_key.expires_at > clock.now)
   ), taken AS (
     INSERT INTO rate_bucket AS bucket (api_key_id, full_at, granted, leased_micros, leased_until)
     SELECT api_key_id, requested_at + token * part.granted, part.granted,
            token_micros * greatest(part.granted - tokens, 0), lease_end
     FROM request, LATERAL (SELECT ${take('rate_limit_rpm')} AS granted) AS part
     WHERE tokens > 0 ORDER BY api_key_id
     ON CONFLICT (api_key_id) DO UPDATE
     SET (full_at, granted, leased_micros, leased_until) = (
       SELECT start.at + token * part.granted, part.granted,
              CASE WHEN bucket.leased_until > requested_at THEN bucket.leased_micros ELSE 0 END + lease.micros,
              CASE WHEN lease.micros > 0 THEN greatest(bucket.leased_until, lease_end) ELSE bucket.leased_until END
       FROM request,
            LATERAL (SELECT greatest(bucket.full_at, requested_at) AS at) AS start,
            LATERAL (SELECT div(extract(epoch FROM requested_at + token * rate_limit_rpm - start.at),
                       extract(epoch FROM token))::bigint AS tokens) AS free,
            LATERAL (SELECT ${take('free.tokens')} AS granted) AS part,
            LATERAL (SELECT token_micros * greatest(part.granted - request.tokens, 0) AS micros) AS lease
       WHERE request.api_key_id = bucket.api_key_id)
     WHERE bucket.full_at <= (
       SELECT requested_at + token * (rate_limit_rpm - 1) FROM request WHERE request.api_key_id = bucket.api_key_id)
     RETURNING api_key_id, full_at, granted, leased_micros, leased_until
   )
   SELECT request.place, request.account_id, request.api_key_id, request.account_status, request.scope,
          request.allowed_models, request.price_group, request.rate_limit_rpm, coalesce(taken.granted, 0) AS granted, request.token_micros,
          (extract(epoch FROM greatest(taken.full_at, bucket.full_at, request.requested_at) - request.requested_at) * 1000000)::bigint
            AS missing_micros,
          (extract(epoch FROM request.lease_end - request.requested_at) * 1000)::integer AS lease_ms,
          CASE WHEN taken.api_key_id IS NOT NULL THEN taken.leased_micros > 0 AND taken.leased_until > request.requested_at
               -- A bucket that had a token before the statement was emptied by a concurrent one, which may have leased some.
               ELSE bucket.api_key_id IS NULL OR bucket.leased_micros > 0 AND bucket.leased_until > request.requested_at
                 OR bucket.full_at <= request.requested_at + request.token * (request.rate_limit_rpm - 1) END AS may_return
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
  admit(request: TokenRequest): Promise<AdmissionRow | null> {
    return this.admissions.run(request);
  }

  private async admitBatch(requests: TokenRequest[]): Promise<(AdmissionRow | null)[]> {
    const buckets = groupByBucket(requests);
    const rows = await this.database.query<KeyRow>(ADMIT, [
      buckets.map(({ hash }) => hash),
      buckets.map(({ tokens }) => tokens),
      buckets.map(({ leaseTokens }) => leaseTokens),
    ]);
    const admissions = requests.map((): AdmissionRow | null => null);
    for (const { place, rate_limit_rpm, granted, token_micros, missing_micros, ...key } of rows) {
      const { places } = buckets[place - 1] as BucketRequest;
      const parts = splitTokens(
        { rate_limit_rpm, granted, token_micros, missing_micros },
        places.map((each) => requests[each] as TokenRequest),
      );
      parts.forEach((part, index) => {
        admissions[places[index] as number] = { ...key, ...part, full_in_micros: missing_micros };
      });
    }
    return admissions;
  }
}
