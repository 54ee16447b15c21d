import { Injectable } from '@nestjs/common';
import type { AdjustBalanceRequest, ToppedUpAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { AccountRepository } from '../../account/account.repository';
import { BalanceChange } from '../../wallet/balance-change';
import { assertGiven, assertInteger, assertOperator, assertReference } from '../../operator/operator-input';

/**
 * Corrects a balance upwards or downwards, with a required reason. It cannot take held money, nor more than the available
 * balance.
 */
@Injectable()
export class AdjustBalance {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly balanceChange: BalanceChange,
  ) {}

  async execute(request: AdjustBalanceRequest): Promise<ToppedUpAccount> {
    assertGiven(request, 'amount_micros', 'reason');
    assertInteger(request, 'amount_micros', { min: Number.MIN_SAFE_INTEGER });
    assertReference(request);
    assertOperator(request);
    if (request.amount_micros === 0)
      throw new ApiError('invalid_body', 'amount_micros must not be 0.', { param: 'amount_micros' });
    await this.accounts.assertExists(request.account_id);
    const entry = await this.balanceChange.make('adjustment', request);
    return { ...(await this.accounts.getDetails(request.account_id)), ...entry };
  }
}
