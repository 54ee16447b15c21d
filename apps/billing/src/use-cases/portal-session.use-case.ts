import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { DEFAULT_KEY_SCOPE, KEY_SCOPES, type KeyScope } from '@kinora/contracts/billing/api-key-format';
import {
  type CreatedPortalLink,
  type CreatePortalLinkRequest,
  PORTAL_LINK_TTL_SECONDS,
  type PortalKey,
  type PresentedKey,
  type RedeemPortalLinkRequest,
  type RevokePortalKeyRequest,
} from '@kinora/contracts/billing/portal.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { ApiKeyRepository, PresentedKeyRepository } from '../api-key/api-key.repository';
import { KeyProof } from '../api-key/key-proof';
import { mintApiKey, presentedHashes } from '../api-key/minted-api-key';
import { PortalLinkRepository } from '../api-key/portal-link.repository';
import { BillingConfig } from '../billing.config';
import { AuditTrail, END_PORTAL_SESSION } from '../operator/audit-trail.repository';
import { assertInteger, assertOperator } from '../operator/operator-input';
import { LeaseRecall } from '../rate-limit/leases';

const TOKEN_BYTES = 32;

/** Makes a link that signs a customer in to the console once. The token is returned once and cannot be read again. */
@Injectable()
export class CreatePortalLink {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly links: PortalLinkRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  async execute(request: CreatePortalLinkRequest): Promise<CreatedPortalLink> {
    assertOperator(request);
    assertInteger(request, 'ttl_seconds', PORTAL_LINK_TTL_SECONDS);
    const { account_id, actor = null, ttl_seconds = PORTAL_LINK_TTL_SECONDS.default } = request;
    const scope = greatestScope(request.capabilities ?? [DEFAULT_KEY_SCOPE]);
    await this.accounts.assertExists(account_id);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const token_hash = createHash('sha256').update(token).digest();
    const expiresAt = await this.database.transaction(async (transaction) => {
      await this.auditTrail.record(transaction, 'create_portal_link', { ...request, ttl_seconds });
      return this.links.insert(transaction, { token_hash, account_id, scope, created_by: actor }, ttl_seconds);
    });
    return { account_id, token, scope, expires_at: expiresAt.toISOString() };
  }
}

/** @throws ApiError invalid_body */
function greatestScope(capabilities: readonly KeyScope[]): KeyScope {
  const isList = Array.isArray(capabilities) && capabilities.every((each: unknown) => isScope(each));
  const greatest = isList && KEY_SCOPES.findLast((scope) => capabilities.includes(scope));
  if (greatest) return greatest;
  const rule = `capabilities must be a list of one or more of ${KEY_SCOPES.join(', ')}.`;
  throw new ApiError('invalid_body', rule, { param: 'capabilities' });
}

function isScope(value: unknown): boolean {
  return KEY_SCOPES.some((scope) => scope === value);
}

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
