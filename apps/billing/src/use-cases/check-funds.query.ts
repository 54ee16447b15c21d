import { Injectable } from '@nestjs/common';
import type { FundsRequest } from '@kinora/contracts/billing/billing.rpc';
import { formatUsd } from '@kinora/contracts/shared/money';
import {
  assertFunds,
  concurrencyLimit,
  FundsRepository,
  insufficientBalance,
  keyBudgetExceeded,
} from '../wallet/funds.repository';

/**
 * Refuses an amount that certainly could not be reserved, and any amount while every job slot is taken. It holds nothing.
 * Unlike money, a held slot counts as taken: the refusal is retryable, and the slot is free when its job has ended.
 */
@Injectable()
export class CheckFunds {
  constructor(private readonly funds: FundsRepository) {}

  /** @throws ApiError, with its checks in the same order as a reserve */
  async execute({
    account_id,
    api_key_id,
    amount_micros,
    available_only = false,
  }: FundsRequest): Promise<Record<string, never>> {
    const funds = await this.funds.find(account_id, api_key_id ?? null);
    if (!funds) return {};
    if (available_only) {
      assertFunds(funds, amount_micros);
      return {};
    }
    const { reachable_micros, is_recharged, key_reachable_micros, free_slots, max_concurrent_jobs } = funds;
    if (reachable_micros < amount_micros && !is_recharged)
      throw insufficientBalance(amount_micros, `${formatUsd(reachable_micros)}, what is held for jobs included`);
    if (key_reachable_micros !== null && key_reachable_micros < amount_micros)
      throw keyBudgetExceeded(amount_micros, key_reachable_micros);
    if (free_slots <= 0) throw concurrencyLimit(max_concurrent_jobs);
    return {};
  }
}
