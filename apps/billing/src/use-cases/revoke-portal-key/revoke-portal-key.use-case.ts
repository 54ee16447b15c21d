import { Injectable } from '@nestjs/common';
import type { PresentedKey, RevokePortalKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import { Database } from '@kinora/database';
import { KeyProof } from '../../api-key/key-proof';
import { presentedHashes } from '../../api-key/minted-api-key';
import { PresentedKeyRepository } from '../../api-key/presented-key.repository';
import { BillingConfig } from '../../billing.config';
import { AuditTrail, END_PORTAL_SESSION } from '../../operator/audit-trail.repository';
import { LeaseRecall } from '../../rate-limit/lease-recall';

type EndedKey = { account_id: string; api_key_id: string };

/** Revokes the key of a portal session: the one that the request proves, or another one of the account that the proved key administers. */
@Injectable()
export class RevokePortalKey {
  constructor(
    private readonly database: Database,
    private readonly proof: KeyProof,
    private readonly keys: PresentedKeyRepository,
    private readonly auditTrail: AuditTrail,
    private readonly leaseRecall: LeaseRecall,
    private readonly config: BillingConfig,
  ) {}

  async execute({ key_sha256, target_key_id }: RevokePortalKeyRequest): Promise<{ revoked: boolean }> {
    const ended =
      target_key_id === undefined
        ? await this.revokePresented(key_sha256)
        : await this.revokeOther(await this.proof.getKey({ key_sha256 }), target_key_id);
    if (ended === null) return { revoked: false };
    await this.leaseRecall.complete(ended.account_id, ended.api_key_id);
    return { revoked: true };
  }

  private revokePresented(keySha256: string): Promise<EndedKey | null> {
    return this.database.transaction(async (transaction) => {
      const key = await this.keys.revokePortal(transaction, presentedHashes(this.config, keySha256));
      if (!key) return null;
      const { id: api_key_id, account_id } = key;
      await this.auditTrail.recordOfKey(
        transaction,
        { account_id, api_key_id },
        { action: END_PORTAL_SESSION, details: {} },
      );
      return { account_id, api_key_id };
    });
  }

  /** @throws ApiError scope_required */
  private revokeOther(by: PresentedKey, revoked_key_id: string): Promise<EndedKey | null> {
    if (by.api_key_id !== revoked_key_id) this.proof.assertAdministrator(by);
    return this.database.transaction(async (transaction) => {
      const { account_id } = by;
      if (!(await this.keys.revokePortalOfAccount(transaction, revoked_key_id, account_id))) return null;
      await this.auditTrail.recordOfKey(transaction, by, { action: END_PORTAL_SESSION, details: { revoked_key_id } });
      return { account_id, api_key_id: revoked_key_id };
    });
  }
}
