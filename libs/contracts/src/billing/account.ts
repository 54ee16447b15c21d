import { ApiError } from '../shared/errors';
import type { Micros } from '../shared/money';
import type { Count, Timestamp, Uuid } from '../shared/scalars';

/** All statuses but `active` refuse new jobs (decisions: Authentication). */
export const ACCOUNT_STATUSES = ['active', 'paused', 'suspended', 'closed'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** The paying customer: its balance and its limits. */
export interface Account {
  object: 'account';
  id: Uuid;
  name: string;
  /** Anything but `active` refuses new jobs. */
  status: AccountStatus;
  currency: 'USD';
  /** What can still be spent, in micro-USD: reservations are already subtracted. */
  balance_micros: Micros;
  balance_usd: number;
  /** Requests a minute that each key may make. */
  rate_limit_rpm: Count;
  /** Jobs that may be in flight at once. */
  max_concurrent_jobs: Count;
  /** Days after the end of a job at which its outputs are deleted. */
  retention_days: Count;
  auto_recharge: { enabled: boolean; threshold_usd: number | null; amount_usd: number | null };
  /** Whether webhooks of this account are signed. */
  webhook_signing_configured: boolean;
  /** The key of this request; its prefix is enough to recognise it. */
  api_key: { id: string; name: string; prefix: string };
  created_at: Timestamp;
}

const REASON = {
  paused:
    'The account is paused and cannot create jobs: the operator of this service has paused it, and can activate it.',
  suspended:
    'The account is suspended and cannot create jobs: the operator has suspended it, or content moderation has blocked too ' +
    'many of its outputs (GET /jobs?status=failed shows them). Ask the operator to review it.',
  closed: 'The account is closed and cannot create jobs.',
} as const satisfies Record<Exclude<AccountStatus, 'active'>, string>;

/** The reason for the refusal, and what the client can do (decisions: Authentication). The operator's own reason is not shown. */
export function accountStatusProblem(status: Exclude<AccountStatus, 'active'>): ApiError {
  return new ApiError(`account_${status}`, REASON[status]);
}
