import { Controller, Get } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Account } from '@kinora/contracts/billing/account';
import { type Admission, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { CurrentCaller } from '../http/caller.decorator';
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
