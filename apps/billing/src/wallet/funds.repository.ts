import { Injectable } from '@nestjs/common';
import { accountStatusProblem } from '@kinora/contracts/billing/account';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { formatUsd, type Micros } from '@kinora/contracts/shared/money';
import { Database, statement } from '@kinora/database';
import { CURRENT_BUDGET, type ReserveOutcome, type WalletSnapshot } from './reservation.repository';

/** The maximum that an account and its key can spend without a further top-up, and the job slots that are free now. */
interface Funds {
  available_micros: Micros;
  /** Includes held money: a refund may release it, and after a crash it may be the hold of this very job. */
  reachable_micros: Micros;
  is_recharged: boolean;
  /** What the key may spend now, and with what is held for it; null for a key without a cap. */
  key_budget_left_micros: Micros | null;
  key_reachable_micros: Micros | null;
  /** Zero or less while every slot is taken; negative after an operator has lowered the limit. */
  free_slots: number;
  max_concurrent_jobs: number;
}

const FIND = statement(
  'funds_find',
  `SELECT available_micros, cap_micros - budget.spent_micros AS key_budget_left_micros,
          available_micros + held_micros AS reachable_micros, coalesce(auto_recharge.enabled, false) AS is_recharged,
          cap_micros - budget.spent_micros + (
            SELECT coalesce(sum(amount_micros), 0) FROM hold
            WHERE hold.account_id = wallet.account_id AND state = 'held'
              AND (budget_key_id, budget_period_start) = (budget.api_key_id, budget.period_start)
          )::bigint AS key_reachable_micros,
          max_concurrent_jobs - in_flight_jobs AS free_slots, max_concurrent_jobs
   FROM wallet LEFT JOIN auto_recharge USING (account_id) LEFT JOIN (${CURRENT_BUDGET}) AS budget ON api_key_id = $2
   WHERE account_id = $1`,
);

@Injectable()
export class FundsRepository {
  constructor(private readonly database: Database) {}

  /** Reads without a lock. Null for an unknown account. */
  find(accountId: string, apiKeyId: string | null): Promise<Funds | null> {
    return this.database.findOne<Funds>(FIND, [accountId, apiKeyId]);
  }
}

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

/**
 * The result of a reserve: the job's hold, or an error with the reason. Null if nothing prevents the reserve now, so the
 * caller may retry.
 * @throws ApiError
 */
export function toReservation({ snapshot, known }: ReserveOutcome, request: ReserveRequest): Reservation | null {
  const { is_reserved, retention_days } = snapshot;
  if (is_reserved) return { amount_micros: request.amount_micros, retention_days };
  if (known?.state === 'held' && known.account_id === request.account_id)
    return { amount_micros: known.amount_micros, retention_days };
  if (known) throw new ApiError('capacity', 'The job has already ended. Create a new one.');
  assertRoom(snapshot, request.amount_micros);
  return null;
}

/** Decides by the locked snapshot: money or a slot that is released meanwhile cannot change which limit is named. */
function assertRoom(snapshot: WalletSnapshot, amountMicros: Micros): void {
  if (snapshot.status !== 'active') throw accountStatusProblem(snapshot.status);
  assertFunds(snapshot, amountMicros);
}

/** Whether money, the budget of the key and a slot are there. @throws ApiError */
export function assertFunds(
  {
    available_micros,
    free_slots,
    max_concurrent_jobs,
    key_budget_left_micros,
  }: Omit<WalletSnapshot, 'is_reserved' | 'status' | 'retention_days'>,
  amountMicros: Micros,
): void {
  if (available_micros < amountMicros) throw insufficientBalance(amountMicros, formatUsd(available_micros));
  if (key_budget_left_micros !== null && key_budget_left_micros < amountMicros)
    throw keyBudgetExceeded(amountMicros, key_budget_left_micros);
  if (free_slots <= 0) throw concurrencyLimit(max_concurrent_jobs);
}
