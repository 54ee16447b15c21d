import { ApiError } from '@kinora/contracts/shared/errors';
import { type Micros, formatUsd } from '@kinora/contracts/shared/money';

/** @param balance as text, because a reserve and the check before it compare with different amounts. */
export function insufficientBalance(priceMicros: Micros, balance: string): ApiError {
  const message = `The job costs ${formatUsd(priceMicros)}, and the balance is ${balance}. Top up the account, or switch auto-recharge on.`;
  return new ApiError('insufficient_balance', message);
}

export function keyBudgetExceeded(priceMicros: Micros, leftMicros: Micros): ApiError {
  const left = `the spending cap of this API key leaves ${formatUsd(leftMicros)} in its current period`;
  return new ApiError('key_budget_exceeded', `The job costs ${formatUsd(priceMicros)}, and ${left}.`);
}

export function concurrencyLimit(maxConcurrentJobs: number): ApiError {
  const limit = `its limit of ${maxConcurrentJobs} jobs in flight (max_concurrent_jobs)`;
  return new ApiError('concurrency_limit', `The account has reached ${limit}. Retry when one has ended.`);
}
