import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { AccountStatementList } from '@kinora/contracts/billing/account-statement';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { selfServiceRpc } from '@kinora/contracts/billing/self-service.rpc';
import { PageQuery } from '@kinora/contracts/shared/page.query';
import { CurrentCaller } from '../http/caller.decorator';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';
import { PAGE_PARAMS, readPage } from './read-page';

@Controller('account/statement')
export class StatementController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RoutePolicy({ scope: 'account', query: PAGE_PARAMS })
  @Operation({
    operationId: 'listStatement',
    tag: 'Account',
    summary: 'List the statement',
    description:
      'Every move of the money of the account, newest first, with the balance after it. Entries that are added meanwhile ' +
      'neither repeat nor skip others.',
    answers: { 200: 'A page of entries.' },
    query: PageQuery,
    errors: selfServiceRpc.listStatement.errors,
  })
  list(@CurrentCaller() { account_id, api_key_id }: Admission, @Query() query: unknown): Promise<AccountStatementList> {
    return this.bus.request(selfServiceRpc.listStatement, { account_id, api_key_id, ...readPage(query) });
  }
}
