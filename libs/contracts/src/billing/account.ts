import type { Micros } from '../shared/money';

/** Interface, "Account status"; all but `active` refuse new jobs. */
export const ACCOUNT_STATUSES = ['active', 'paused', 'suspended', 'closed'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** The specification's Account resource. */
export interface Account {
  object: 'account';
  id: string;
  name: string;
  status: AccountStatus;
  currency: 'USD';
  balance_micros: Micros;
  balance_usd: number;
  rate_limit_rpm: number;
  max_concurrent_jobs: number;
  retention_days: number;
  auto_recharge: { enabled: boolean; threshold_usd: number | null; amount_usd: number | null };
  webhook_signing_configured: boolean;
  api_key: { id: string; name: string; prefix: string };
  created_at: string;
}
