import { Injectable } from '@nestjs/common';
import type { ReturnLeaseRequest } from '@kinora/contracts/billing/billing.rpc';
import { Database, statement } from '@kinora/database';

/**
 * While other leases of the bucket are open, `full_at` stays so late that the bucket cannot be full before they end: a
 * full bucket and the tokens of a lease would together admit more requests at once than the limit.
 */
const RETURN = statement(
  'rate_bucket_return',
  `UPDATE rate_bucket
   SET leased_micros = greatest(leased_micros - $2, 0),
       full_at = CASE WHEN leased_micros > $2
                      THEN greatest(full_at - $3 * interval '1 microsecond',
                             least(full_at, leased_until + (leased_micros - $2) * interval '1 microsecond'))
                      ELSE full_at - $3 * interval '1 microsecond' END
   WHERE api_key_id = $1`,
);

const OPEN_FOR = statement(
  'rate_bucket_leased_for',
  `SELECT (extract(epoch FROM max(rate_bucket.leased_until) - clock_timestamp()) * 1000)::integer AS open_ms
   FROM api_key JOIN rate_bucket ON rate_bucket.api_key_id = api_key.id
   WHERE api_key.account_id = $1 AND rate_bucket.leased_micros > 0`,
);

/** The tokens that gateways have leased from buckets. `AdmissionRepository` grants them. */
@Injectable()
export class LeaseRepository {
  constructor(private readonly database: Database) {}

  async giveBack({ api_key_id, leased_micros, unused_micros }: ReturnLeaseRequest): Promise<void> {
    await this.database.execute(RETURN, [api_key_id, leased_micros, unused_micros]);
  }

  /** How long a gateway may still spend a token of the account by itself; 0 if all leases are returned or over. */
  async openForMs(accountId: string): Promise<number> {
    const row = await this.database.findOne<{ open_ms: number | null }>(OPEN_FOR, [accountId]);
    return Math.max(row?.open_ms ?? 0, 0);
  }
}
