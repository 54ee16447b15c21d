import { Body, Controller, Get, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import type { Account } from '@kinora/contracts/billing/account';
import type { AccountStatementList } from '@kinora/contracts/billing/statement';
import { type Admission, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { OverlapBody } from '@kinora/contracts/billing/account-key.body';
import { type IssuedWebhookSecret, selfServiceRpc } from '@kinora/contracts/billing/self-service.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Usage } from '@kinora/contracts/jobs/usage';
import { UsageQuery } from '@kinora/contracts/jobs/lists.query';
import { PageQuery } from '@kinora/contracts/shared/page';
import { Bus } from '@kinora/bus';
import { CurrentCaller } from '../http/parameters.decorator';
import { PAGE_PARAMS, readOptionalBodyAs, readPage, readQueryAs } from '../http/read-fields';
import type { ReceivedBody } from '../http/received-body';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

@Controller('account')
export class AccountController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RoutePolicy({ ignoresUnknownQuery: true })
  @Operation({
    operationId: 'getAccount',
    tag: 'Account',
    summary: 'Get the account',
    description: 'The account that the API key belongs to, with its balance and limits.',
    answers: { 200: 'The account.' },
    // The account of a valid key always exists.
    errors: [],
  })
  get(@CurrentCaller() { account_id, api_key_id }: Admission): Promise<Account> {
    return this.bus.request(billingRpc.getAccount, { account_id, api_key_id });
  }
}

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

@Controller('usage')
export class UsageController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RoutePolicy({ query: ['from', 'to', 'group_by'] })
  @Operation({
    operationId: 'getUsage',
    tag: 'Account',
    summary: 'Sum up jobs',
    description:
      'Sums of the jobs that were created within a period, by day (UTC) or by model. Empty groups are left out. ' +
      'Of more than 366 days only the newest 366 are returned, and `truncated` is true.',
    answers: { 200: 'The sums.' },
    query: UsageQuery,
    errors: jobsRpc.getUsage.errors,
  })
  get(@CurrentCaller() { account_id }: Admission, @Query() query: unknown): Promise<Usage> {
    return this.bus.request(jobsRpc.getUsage, { account_id, group_by: 'day', ...readQueryAs(UsageQuery, query) });
  }
}

@Controller('account/webhook-secret')
export class WebhookSecretController {
  constructor(private readonly bus: Bus) {}

  @Post('rotate')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ scope: 'account', takesJson: true, isBodyOptional: true })
  @Operation({
    operationId: 'rotateWebhookSecret',
    tag: 'Account',
    summary: 'Rotate the webhook secret',
    description:
      'The new secret is in this response only. For `overlap_seconds` the previous one signs beside it, with a `v1` of its own; ' +
      'of several former secrets the newest three do.',
    answers: { 200: 'The new secret.' },
    body: OverlapBody,
    errors: selfServiceRpc.rotateWebhookSecret.errors,
  })
  rotate(
    @CurrentCaller() { account_id, api_key_id }: Admission,
    @Body() body: ReceivedBody | undefined,
  ): Promise<IssuedWebhookSecret> {
    const { overlap_seconds = 0 } = readOptionalBodyAs(OverlapBody, body);
    return this.bus.request(selfServiceRpc.rotateWebhookSecret, { account_id, api_key_id, overlap_seconds });
  }
}
