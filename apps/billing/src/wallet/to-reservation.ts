import type { AccountStatus } from '@kinora/contracts/billing/account';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { ApiError, type ErrorCode } from '@kinora/contracts/shared/errors';
import type { Micros } from '@kinora/contracts/shared/money';
import type { ReserveOutcome, Standing } from './reservation.repository';

const CODE_BY_STATUS = {
  paused: 'account_paused',
  suspended: 'account_suspended',
  closed: 'account_closed',
} as const satisfies Record<Exclude<AccountStatus, 'active'>, ErrorCode>;

/**
 * What a reserve has come to: the job's hold, or the reason why there is none. Null where nothing stands in the way now, so
 * that it may be asked for again.
 * @throws ApiError
 */
export function toReservation({ standing, known }: ReserveOutcome, request: ReserveRequest): Reservation | null {
  const { is_reserved, retention_days } = standing;
  if (is_reserved) return { amount_micros: request.amount_micros, retention_days };
  if (known?.state === 'held' && known.account_id === request.account_id)
    return { amount_micros: known.amount_micros, retention_days };
  if (known) throw new ApiError('capacity', 'The job has ended already. Please create another one.');
  assertRoom(standing, request.amount_micros);
  return null;
}

/** By what was read while it was locked: a slot or an amount that is freed meanwhile cannot make it blame the other. */
function assertRoom(standing: Standing, amountMicros: Micros): void {
  const { status, available_micros, free_slots, key_budget_left_micros } = standing;
  if (status !== 'active') throw new ApiError(CODE_BY_STATUS[status], `The account is ${status}.`);
  if (available_micros < amountMicros)
    throw new ApiError('insufficient_balance', 'The balance does not cover the price of this job.');
  if (key_budget_left_micros !== null && key_budget_left_micros < amountMicros)
    throw new ApiError('key_budget_exceeded', 'The spending cap of this API key does not cover the price of this job.');
  if (free_slots <= 0)
    throw new ApiError('concurrency_limit', 'The account has as many jobs in flight as it may. Please retry.');
}
