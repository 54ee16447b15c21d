import { Injectable } from '@nestjs/common';
import type { AccountDetails, TopUpRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { AccountRepository } from '../../account/account.repository';
import { assertGiven, assertInteger, assertOperator } from '../../operator/operator-input';
import { BalanceChange } from '../../wallet/balance-change';

/** Adds money that was paid to a wallet. */
@Injectable()
export class TopUp {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly balanceChange: BalanceChange,
  ) {}

  async execute(request: TopUpRequest): Promise<AccountDetails> {
    assertGiven(request, 'amount_micros');
    assertInteger(request, 'amount_micros');
    assertOperator(request);
    await this.accounts.assertExists(request.account_id);
    await this.balanceChange.make('top_up', request);
    return this.accounts.getDetails(request.account_id);
  }
}
