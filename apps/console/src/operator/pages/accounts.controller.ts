import { Controller, Get, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import type { AccountStatus } from '@kinora/contracts/billing/account';
import { type AccountSummary, accountListRpc } from '@kinora/contracts/billing/account-list.rpc';
import {
  type AccountDetails,
  type ApiKeyDetails,
  type PaymentDetails,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { OperatorAction } from '@kinora/contracts/billing/operator-action';
import type { Statement } from '@kinora/contracts/billing/statement';
import type { Page } from '@kinora/contracts/shared/page';
import { ListRequests, type RequestPage } from '../../requests/list-requests.query';
import { OperatorBus } from '../users/operator';
import { Requires } from '../users/permissions';
import { type ListQuery, entryCursorOf, limitOf, textsOf, toPage } from './query-fields';

type Listed<Item> = Omit<Page<Item>, 'object'>;

/** Accounts, and what a customer sees of one: read only. */
@Controller('admin/v1/operator/accounts')
export class AccountsController {
  constructor(
    private readonly bus: OperatorBus,
    private readonly listRequests: ListRequests,
  ) {}

  @Get()
  @Requires('view')
  async list(@Query() query: ListQuery): Promise<Listed<AccountSummary>> {
    const { status, ...sought } = textsOf(query, 'search', 'status', 'cursor');
    const filter = { ...sought, ...(status !== undefined && { status: status as AccountStatus }), ...limitOf(query) };
    return toPage(await this.bus.request(accountListRpc.listAccounts, filter));
  }

  @Get(':id')
  @Requires('view')
  show(@Param('id', ParseUUIDPipe) account_id: string): Promise<AccountDetails> {
    return this.bus.request(billingAdminRpc.showAccount, { account_id });
  }

  @Get(':id/history')
  @Requires('view')
  async listHistory(
    @Param('id', ParseUUIDPipe) account_id: string,
    @Query() query: ListQuery,
  ): Promise<Listed<OperatorAction>> {
    return toPage(await this.bus.request(billingAdminRpc.listActions, { account_id, ...textsOf(query, 'cursor') }));
  }

  @Get(':id/keys')
  @Requires('view')
  async listKeys(
    @Param('id', ParseUUIDPipe) account_id: string,
    @Query() query: ListQuery,
  ): Promise<Listed<ApiKeyDetails>> {
    return toPage(await this.bus.request(billingAdminRpc.listKeys, { account_id, ...textsOf(query, 'cursor') }));
  }

  @Get(':id/payments')
  @Requires('view')
  async listPayments(
    @Param('id', ParseUUIDPipe) account_id: string,
    @Query() query: ListQuery,
  ): Promise<Listed<PaymentDetails>> {
    return toPage(await this.bus.request(billingAdminRpc.listPayments, { account_id, ...textsOf(query, 'cursor') }));
  }

  /** Newest first, as every list of the console. The cursor is the id of the last line. */
  @Get(':id/statement')
  @Requires('view')
  async showStatement(
    @Param('id', ParseUUIDPipe) account_id: string,
    @Query() query: ListQuery,
  ): Promise<Listed<Statement['data'][number]>> {
    const cursor = entryCursorOf(query);
    const place = cursor === undefined ? {} : { before_entry_id: cursor };
    const { data, next_before_entry_id } = await this.bus.request(billingAdminRpc.getStatement, {
      account_id,
      ...place,
      ...limitOf(query),
    });
    return toPage({
      data: data.toReversed(),
      has_more: next_before_entry_id !== null,
      next_cursor: next_before_entry_id,
    });
  }

  @Get(':id/requests')
  @Requires('view')
  showRequests(@Param('id', ParseUUIDPipe) accountId: string, @Query() query: ListQuery): Promise<RequestPage> {
    return this.listRequests.execute(query, accountId);
  }
}
