import { Injectable } from '@nestjs/common';
import type { AccountStatus } from '@kinora/contracts/billing/account';
import { Database, statement } from '@kinora/database';
import type { BucketState } from './rate-decision';

export interface AdmissionRow extends BucketState {
  account_id: string;
  api_key_id: string;
  account_status: AccountStatus;
  allowed_models: string[] | null;
}

/**
 * GCRA: a bucket is one time, that at which it will be full again, and a token moves it on by a minute / rpm. There is
 * a token while the bucket, after taking it, is full again within rpm such steps. The step is whole microseconds, as
 * PostgreSQL's times are, so that rpm steps make exactly rpm tokens. The clock is read once, and is the database's.
 * A bucket without a row is full: a new key's, or every one after a crash, since the table is unlogged.
 */
const ADMIT = statement(
  'rate_bucket_admit',
  `WITH asked AS MATERIALIZED (
     SELECT api_key.id AS api_key_id, account.id AS account_id, account.status AS account_status,
            api_key.allowed_models, account.rate_limit_rpm, clock_timestamp() AS asked_at,
            greatest(60000000 / account.rate_limit_rpm, 1) * interval '1 microsecond' AS token
     FROM api_key JOIN account ON account.id = api_key.account_id
     WHERE api_key.hash = $1 AND api_key.revoked_at IS NULL
       AND (api_key.expires_at IS NULL OR api_key.expires_at > clock_timestamp())
   ), taken AS (
     INSERT INTO rate_bucket AS bucket (api_key_id, full_at)
     SELECT api_key_id, asked_at + token FROM asked WHERE $2 = 1
     ON CONFLICT (api_key_id) DO UPDATE
     SET full_at = greatest(bucket.full_at, (SELECT asked_at FROM asked)) + (SELECT token FROM asked)
     WHERE bucket.full_at <= (SELECT asked_at + token * (rate_limit_rpm - 1) FROM asked)
     RETURNING full_at
   )
   SELECT asked.account_id, asked.api_key_id, asked.account_status, asked.allowed_models, asked.rate_limit_rpm,
          $2 = 0 OR taken.full_at IS NOT NULL AS allowed,
          (extract(epoch FROM asked.token) * 1000000)::bigint AS token_micros,
          (extract(epoch FROM greatest(taken.full_at, bucket.full_at, asked.asked_at) - asked.asked_at) * 1000000)::bigint
            AS missing_micros
   FROM asked LEFT JOIN taken ON true LEFT JOIN rate_bucket AS bucket ON bucket.api_key_id = asked.api_key_id`,
);

/** Knows a key by its hash and takes a token from its bucket, or none, in one statement. */
@Injectable()
export class AdmissionRepository {
  constructor(private readonly database: Database) {}

  /** Null for a key that is unknown, revoked or expired; which of them it is, nobody needs to know. */
  async admit(hash: Buffer, tokens: 0 | 1): Promise<AdmissionRow | null> {
    return this.database.findOne<AdmissionRow>(ADMIT, [hash, tokens]);
  }
}
