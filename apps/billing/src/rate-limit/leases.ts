import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { billingSignals } from '@kinora/contracts/billing/billing.events';
import type { ReturnLeaseRequest } from '@kinora/contracts/billing/billing.rpc';
import { Bus } from '@kinora/bus';
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

/** A key that has expired has no lease: none outlives its key. */
const FIND_OPEN = statement(
  'rate_bucket_find_leased',
  `SELECT api_key_id, ceil(extract(epoch FROM leased_until - clock_timestamp()) * 1000)::integer AS open_ms
   FROM (SELECT id FROM api_key WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
         UNION SELECT $2) AS leasing
   JOIN rate_bucket ON api_key_id = leasing.id
   WHERE leased_micros > 0 AND leased_until > clock_timestamp()`,
);

const ARE_OPEN = statement(
  'rate_bucket_are_leased',
  `SELECT FROM rate_bucket WHERE api_key_id = ANY($1::uuid[]) AND leased_micros > 0 AND leased_until > clock_timestamp() LIMIT 1`,
);

/** The tokens that gateways have leased from buckets. `AdmissionRepository` grants them. */
@Injectable()
export class LeaseRepository {
  constructor(private readonly database: Database) {}

  async giveBack({ api_key_id, leased_micros, unused_micros }: ReturnLeaseRequest): Promise<void> {
    await this.database.execute(RETURN, [api_key_id, leased_micros, unused_micros]);
  }

  /**
   * The keys of the account, and of one that is revoked, of which a gateway may still spend a token by itself, and for how
   * long; 0 if all leases are returned or over.
   */
  async findOpen(accountId: string, revokedKeyId: string | null = null): Promise<{ keyIds: string[]; openMs: number }> {
    const rows = await this.database.query<{ api_key_id: string; open_ms: number }>(FIND_OPEN, [
      accountId,
      revokedKeyId,
    ]);
    return {
      keyIds: rows.map(({ api_key_id }) => api_key_id),
      openMs: Math.max(0, ...rows.map(({ open_ms }) => open_ms)),
    };
  }

  /** Whether a lease of any of the keys is open: a poll reads their buckets only. */
  async areOpen(apiKeyIds: string[]): Promise<boolean> {
    return (await this.database.findOne(ARE_OPEN, [apiKeyIds])) !== null;
  }
}

const POLL_MS = 10;

/** Makes the gateways return their leases of an account before the leases end. */
@Injectable()
export class LeaseRecall {
  constructor(
    private readonly bus: Bus,
    private readonly leases: LeaseRepository,
  ) {}

  /** Signals the gateways, and does not wait for them. */
  signal(accountId: string): void {
    this.bus.signal(billingSignals.leasesRecalled, { account_id: accountId });
  }

  /**
   * Resolves when no gateway can admit a request by what it knew before this call. That is within milliseconds, or at the
   * end of the leases if the signal is lost or if new leases are granted meanwhile. A lease whose statement has not yet
   * committed is ended by the signal alone: the gateway does not begin it.
   * @param revokedKeyId the key that this call has revoked; leases of keys that were revoked earlier have ended
   */
  async complete(accountId: string, revokedKeyId: string | null = null): Promise<void> {
    this.signal(accountId);
    const { keyIds, openMs } = await this.leases.findOpen(accountId, revokedKeyId);
    const endsAtMs = performance.now() + openMs;
    while (performance.now() < endsAtMs) {
      await delay(POLL_MS);
      if (!(await this.leases.areOpen(keyIds))) return;
    }
  }
}
