import { accountStatusProblem } from '@kinora/contracts/billing/account-status-problem';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type Micros, formatUsd } from '@kinora/contracts/shared/money';
import { concurrencyLimit, insufficientBalance, keyBudgetExceeded } from './funds-problem';
import type { ReserveOutcome, WalletSnapshot } from './reservation.repository';

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
