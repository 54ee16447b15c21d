import { Injectable } from '@nestjs/common';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import { Database } from '@kinora/database';
import { presentedHashes } from '../../api-key/minted-api-key';
import { PresentedKeyRepository } from '../../api-key/presented-key.repository';
import { BillingConfig } from '../../billing.config';
import { AuditTrail, END_PORTAL_SESSION } from '../../operator/audit-trail.repository';
import { LeaseRecall } from '../../rate-limit/lease-recall';

/** Revokes the key of a portal session at its sign-out. The request proves the key, and no other key can be revoked by it. */
@Injectable()
export class RevokePortalKey {
  constructor(
    private readonly database: Database,
    private readonly keys: PresentedKeyRepository,
    private readonly auditTrail: AuditTrail,
    private readonly leaseRecall: LeaseRecall,
    private readonly config: BillingConfig,
  ) {}

  async execute({ key_sha256 }: PresentedKeyRequest): Promise<{ revoked: boolean }> {
    const ended = await this.database.transaction(async (transaction) => {
      const key = await this.keys.revokePortal(transaction, presentedHashes(this.config, key_sha256));
      if (!key) return null;
      const { id: api_key_id, account_id } = key;
      await this.auditTrail.recordOfKey(
        transaction,
        { account_id, api_key_id },
        { action: END_PORTAL_SESSION, details: {} },
      );
      return { account_id, api_key_id };
    });
    if (ended === null) return { revoked: false };
    await this.leaseRecall.complete(ended.account_id, ended.api_key_id);
    return { revoked: true };
  }
}
