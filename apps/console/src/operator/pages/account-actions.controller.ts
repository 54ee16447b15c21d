import { Body, Controller, HttpCode, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { ACCOUNT_STATUSES } from '@kinora/contracts/billing/account';
import {
  type AccountDetails,
  type AdjustBalanceRequest,
  billingAdminRpc,
  type PaymentDetails,
  type ToppedUpAccount,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { KEY_SCOPES } from '@kinora/contracts/billing/api-key-format';
import { portalLinkRpc } from '@kinora/contracts/billing/portal.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ConsoleConfig } from '../../console.config';
import { givenIntegers, integerField, oneOfField, reasonField, referenceField } from '../../http/body-fields';
import { AuditTrail } from '../audit/audit-trail';
import { CurrentOperator, type Operator, OperatorBus } from '../users/operator';
import { Requires } from '../users/permissions';

/** What operators change about an account. Billing decides; every action has a reason and stands in the audit trail. */
@Controller('admin/v1/operator/accounts/:id')
export class AccountActionsController {
  constructor(
    private readonly bus: OperatorBus,
    private readonly audit: AuditTrail,
  ) {}

  @Post('top-ups')
  @HttpCode(200)
  @Requires('change_money', { isConfirmed: true })
  topUp(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) id: string,
    @Body() body: unknown,
  ): Promise<ToppedUpAccount> {
    return this.changeMoney({ action: 'top_up', contract: billingAdminRpc.topUp }, by, id, body);
  }

  @Post('credits')
  @HttpCode(200)
  @Requires('change_money', { isConfirmed: true })
  grantCredit(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) id: string,
    @Body() body: unknown,
  ): Promise<ToppedUpAccount> {
    return this.changeMoney({ action: 'grant_credit', contract: billingAdminRpc.grantCredit }, by, id, body);
  }

  @Post('adjustments')
  @HttpCode(200)
  @Requires('change_money', { isConfirmed: true })
  adjust(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) id: string,
    @Body() body: unknown,
  ): Promise<ToppedUpAccount> {
    return this.changeMoney({ action: 'adjust_balance', contract: billingAdminRpc.adjustBalance }, by, id, body);
  }

  /** The payment as billing has ended it: as failed, or as the provider said at last. */
  @Post('payments/:payment_id/end')
  @HttpCode(200)
  @Requires('change_money', { isConfirmed: true })
  endPayment(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) account_id: string,
    @Param('payment_id', ParseUUIDPipe) payment_id: string,
    @Body() body: unknown,
  ): Promise<PaymentDetails> {
    const reason = reasonField(body);
    return this.audit.run(
      by,
      { action: 'end_payment', account_id, target: payment_id, reason },
      () => this.bus.request(billingAdminRpc.endPayment, { account_id, payment_id, reason, actor: by.email }),
      ({ state, failure }) => ({ state, failure }),
    );
  }

  @Patch('status')
  @Requires('change_status', { isConfirmed: true })
  async setStatus(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) account_id: string,
    @Body() body: unknown,
  ): Promise<AccountDetails> {
    const [status, reason] = [oneOfField(body, 'status', ACCOUNT_STATUSES), reasonField(body)];
    const before = await this.bus.request(billingAdminRpc.showAccount, { account_id });
    const entry = { account_id, target: account_id, reason, before: { status: before.status }, after: { status } };
    return this.audit.run(by, { action: 'set_status', ...entry }, () =>
      this.bus.request(billingAdminRpc.setStatus, { account_id, status, reason, actor: by.email }),
    );
  }

  @Patch('limits')
  @Requires('change_limits')
  async setLimits(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) account_id: string,
    @Body() body: unknown,
  ): Promise<AccountDetails> {
    const limits = givenIntegers(body, 'rate_limit_rpm', 'max_concurrent_jobs', 'retention_days');
    const reason = reasonField(body);
    const { rate_limit_rpm, max_concurrent_jobs, retention_days } = await this.bus.request(
      billingAdminRpc.showAccount,
      {
        account_id,
      },
    );
    const before = { rate_limit_rpm, max_concurrent_jobs, retention_days };
    const entry = { action: 'set_limits', account_id, target: account_id, reason, before, after: limits };
    return this.audit.run(by, entry, () =>
      this.bus.request(billingAdminRpc.setLimits, { account_id, ...limits, reason, actor: by.email }),
    );
  }

  private changeMoney(
    { action, contract }: MoneyAction,
    by: Operator,
    account_id: string,
    body: unknown,
  ): Promise<ToppedUpAccount> {
    const amount_micros = integerField(body, 'amount_micros');
    const [reason, reference] = [reasonField(body), referenceField(body)];
    const entry = { action, account_id, target: account_id, reason, after: { amount_micros, reference } };
    return this.audit.run(
      by,
      entry,
      () => this.bus.request(contract, { account_id, amount_micros, reason, reference, actor: by.email }),
      ({ balance_micros, entry_id, entry_repeated }) => ({
        ...{ amount_micros, reference, balance_micros },
        ...{ entry_id, entry_repeated },
      }),
    );
  }
}

interface MoneyAction {
  action: string;
  contract: RpcContract<AdjustBalanceRequest, ToppedUpAccount>;
}

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
