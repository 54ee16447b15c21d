import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DEFAULT_KEY_SCOPE, KEY_SCOPES, type KeyScope } from '@kinora/contracts/billing/key-scope';
import {
  type CreatePortalLinkRequest,
  type CreatedPortalLink,
  PORTAL_LINK_TTL_SECONDS,
} from '@kinora/contracts/billing/portal-link.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { AccountRepository } from '../../account/account.repository';
import { AuditTrail } from '../../operator/audit-trail.repository';
import { assertInteger, assertOperator } from '../../operator/operator-input';
import { PortalLinkRepository } from '../../portal/portal-link.repository';

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
