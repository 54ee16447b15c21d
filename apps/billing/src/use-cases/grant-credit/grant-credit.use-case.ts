import { Injectable } from '@nestjs/common';
import type { ToppedUpAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import type { TopUpRequest } from '@kinora/contracts/billing/deposit';
import { AccountRepository } from '../../account/account.repository';
import { BalanceChange } from '../../wallet/balance-change';
import { assertGiven, assertInteger, assertOperator, assertReference } from '../../operator/operator-input';

/** Adds money that was not paid for. It has its own book in the ledger, separate from paid top-ups. */
@Injectable()
export class GrantCredit {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly balanceChange: BalanceChange,
  ) {}

  async execute(request: TopUpRequest): Promise<ToppedUpAccount> {
    assertGiven(request, 'amount_micros');
    assertInteger(request, 'amount_micros');
    assertReference(request);
    assertOperator(request);
    await this.accounts.assertExists(request.account_id);
    const entry = await this.balanceChange.make('credit', request);
    return { ...(await this.accounts.getDetails(request.account_id)), ...entry };
  }
}
