import type { AccountStatus } from '@kinora/contracts/billing/account';
import type { Reservation } from '@kinora/contracts/billing/billing.rpc';
import { ApiError, type ErrorCode } from '@kinora/contracts/shared/errors';
import type { Micros } from '@kinora/contracts/shared/money';
import type { Standing } from './wallet.repository';

const CODE_BY_STATUS = {
  paused: 'account_paused',
  suspended: 'account_suspended',
  closed: 'account_closed',
} as const satisfies Record<Exclude<AccountStatus, 'active'>, ErrorCode>;

/**
 * What a reserve answers that has changed nothing: the job's open hold, or the reason why there is none.
 * @throws ApiError
 */
export function toReservation(standing: Standing, amountMicros: Micros): Reservation {
  const { status, retention_days, available_micros, is_job_known, held_for_job_micros, key_budget_left_micros } =
    standing;
  if (held_for_job_micros !== null) return { amount_micros: held_for_job_micros, retention_days };
  if (is_job_known) throw new ApiError('capacity', 'The job has ended already. Please create another one.');
  if (status !== 'active') throw new ApiError(CODE_BY_STATUS[status], `The account is ${status}.`);
  if (available_micros < amountMicros)
    throw new ApiError('insufficient_balance', 'The balance does not cover the price of this job.');
  if (key_budget_left_micros !== null && key_budget_left_micros < amountMicros)
    throw new ApiError('key_budget_exceeded', 'The spending cap of this API key does not cover the price of this job.');
  // By elimination: to read the count of jobs again would blame the balance whenever a slot has been freed meanwhile.
  throw new ApiError('concurrency_limit', 'The account has as many jobs in flight as it may. Please retry.');
}
