import { Injectable } from '@nestjs/common';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import { Database } from '@kinora/database';
import { presentedHashes } from '../../api-key/minted-api-key';
import { PresentedKeyRepository } from '../../api-key/presented-key.repository';
import { BillingConfig } from '../../billing.config';
import { AuditTrail } from '../../operator/audit-trail.repository';

/** Revokes the key of a portal session at its sign-out. The request proves the key, and no other key can be revoked by it. */
@Injectable()
export class RevokePortalKey {
  constructor(
    private readonly database: Database,
    private readonly keys: PresentedKeyRepository,
    private readonly auditTrail: AuditTrail,
    private readonly config: BillingConfig,
  ) {}

  execute({ key_sha256 }: PresentedKeyRequest): Promise<{ revoked: boolean }> {
    return this.database.transaction(async (transaction) => {
      const key = await this.keys.revokePortal(transaction, presentedHashes(this.config, key_sha256));
      if (!key) return { revoked: false };
      const { id: api_key_id, account_id } = key;
      await this.auditTrail.recordOfKey(
        transaction,
        { account_id, api_key_id },
        { action: 'end_portal_session', details: {} },
      );
      return { revoked: true };
    });
  }
}
