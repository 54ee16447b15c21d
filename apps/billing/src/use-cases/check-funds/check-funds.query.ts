import { Injectable } from '@nestjs/common';
import type { FundsRequest } from '@kinora/contracts/billing/billing.rpc';
import { formatUsd } from '@kinora/contracts/shared/money';
import { insufficientBalance, keyBudgetExceeded } from '../../wallet/funds-problem';
import { FundsRepository } from '../../wallet/funds.repository';

/** Refuses an amount that certainly could not be reserved. It holds nothing. */
@Injectable()
export class CheckFunds {
  constructor(private readonly funds: FundsRepository) {}

  /** @throws ApiError, with its checks in the same order as a reserve */
  async execute({ account_id, api_key_id, amount_micros }: FundsRequest): Promise<Record<string, never>> {
    const funds = await this.funds.find(account_id, api_key_id ?? null);
    if (!funds) return {};
    const { reachable_micros, is_recharged, key_reachable_micros } = funds;
    if (reachable_micros < amount_micros && !is_recharged)
      throw insufficientBalance(amount_micros, `${formatUsd(reachable_micros)}, what is held for jobs included`);
    if (key_reachable_micros !== null && key_reachable_micros < amount_micros)
      throw keyBudgetExceeded(amount_micros, key_reachable_micros);
    return {};
  }
}
