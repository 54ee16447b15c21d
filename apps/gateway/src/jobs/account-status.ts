import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';

/** Interface, "Authentication": a paused, suspended or closed account is refused job creation. */
export function assertMayCreateJobs({ account_status }: Admission): void {
  if (account_status === 'active') return;
  throw new ApiError(`account_${account_status}`, `The account is ${account_status} and cannot create jobs.`);
}
