import type { AccountLimits } from '@kinora/contracts/billing/billing-admin.rpc';
import { assertInteger } from '../operator/operator-input';

const MAX_RETENTION_DAYS = 365;

/** @throws ApiError invalid_body */
export function assertLimits(limits: AccountLimits): void {
  assertInteger(limits, 'rate_limit_rpm');
  assertInteger(limits, 'max_concurrent_jobs');
  assertInteger(limits, 'retention_days', { max: MAX_RETENTION_DAYS });
}
