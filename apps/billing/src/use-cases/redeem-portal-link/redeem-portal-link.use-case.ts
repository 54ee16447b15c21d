import { Injectable } from '@nestjs/common';
import type { PortalKey, RedeemPortalLinkRequest } from '@kinora/contracts/billing/portal.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { ApiKeyRepository } from '../../api-key/api-key.repository';
import { mintApiKey } from '../../api-key/minted-api-key';
import { BillingConfig } from '../../billing.config';
import { AuditTrail } from '../../operator/audit-trail.repository';
import { PortalLinkRepository } from '../../portal/portal-link.repository';

/** A session of the console lasts as long. */
const KEY_SECONDS = 12 * 60 * 60;
const SHA256_HEX = /^[0-9a-f]{64}$/;

/** Uses up a portal link, and makes the key of its session, in one transaction: a link never is used without a key. */
@Injectable()
export class RedeemPortalLink {
  constructor(
    private readonly database: Database,
    private readonly links: PortalLinkRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly auditTrail: AuditTrail,
    private readonly config: BillingConfig,
  ) {}

  async execute({ token_sha256 }: RedeemPortalLinkRequest): Promise<PortalKey> {
    if (!SHA256_HEX.test(token_sha256)) throw noSuchLink();
    const { key: api_key, ...stored } = mintApiKey(this.config.keyPepper);
    const api_key_id = uuidv7();
    const expires_at = new Date(Date.now() + KEY_SECONDS * 1_000).toISOString();
    const { account_id, scope } = await this.database.transaction(async (transaction) => {
      const link = await this.links.take(transaction, Buffer.from(token_sha256, 'hex'));
      if (!link) throw noSuchLink();
      const { account_id, scope, created_by } = link;
      const key = { id: api_key_id, account_id, name: 'Portal session', scope, allowed_models: null };
      await this.apiKeys.insert(transaction, { ...key, ...stored, expires_at, is_portal: true });
      const actor = created_by === null ? {} : { actor: created_by };
      await this.auditTrail.record(transaction, 'use_portal_link', {
        account_id,
        ...actor,
        scope,
        api_key_id,
        expires_at,
      });
      return link;
    });
    return { api_key, api_key_id, account_id, scope, expires_at };
  }
}

/** The same for a link that is unknown, used or expired. */
function noSuchLink(): ApiError {
  return new ApiError('not_found', 'The link is not valid: it was used before, or has expired.');
}
