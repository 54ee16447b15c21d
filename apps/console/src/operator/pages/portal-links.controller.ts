import { Body, Controller, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { KEY_SCOPES } from '@kinora/contracts/billing/key-scope';
import { portalLinkRpc } from '@kinora/contracts/billing/portal-link.rpc';
import { ConsoleConfig } from '../../console.config';
import { AuditTrail } from '../audit/audit-trail';
import { OperatorBus } from '../operator-bus';
import { CurrentOperator, type Operator } from '../users/operator';
import { Requires } from '../users/permissions';
import { givenIntegers, oneOfField, reasonField } from '../../http/body-fields';

/** A link that signs a browser in to an account of a customer, once. */
export interface PortalLink {
  url: string;
  expires_at: string;
}

/**
 * Links for customers, and for operators who want to see what a customer sees. A link opens the account without its keys, so
 * the route asks for the password, and the audit trail holds who made it and what its session may do, but never its token.
 */
@Controller('admin/v1/operator/accounts/:id/portal-links')
export class PortalLinksController {
  constructor(
    private readonly config: ConsoleConfig,
    private readonly bus: OperatorBus,
    private readonly audit: AuditTrail,
  ) {}

  @Post()
  @HttpCode(200)
  @Requires('open_portal', { isConfirmed: true })
  async create(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) account_id: string,
    @Body() body: unknown,
  ): Promise<PortalLink> {
    const [scope, reason] = [oneOfField(body, 'scope', KEY_SCOPES), reasonField(body)];
    const requested = { capabilities: [scope], ...givenIntegers(body, 'ttl_seconds') };
    const entry = { action: 'create_portal_link', account_id, target: account_id, reason, after: requested };
    const { token, expires_at } = await this.audit.run(
      by,
      entry,
      () => this.bus.request(portalLinkRpc.createLink, { account_id, ...requested, reason, actor: by.email }),
      (link) => ({ scope: link.scope, expires_at: link.expires_at }),
    );
    return { url: `${this.config.portalOrigin}/portal#token=${token}`, expires_at };
  }
}
