import type { Account, AccountStatus } from '@kinora/contracts/billing/account';
import { type Micros, toUsd } from '@kinora/contracts/shared/money';

/** An account with its wallet and the API key of the request. */
export interface AccountRow {
  id: string;
  name: string;
  status: AccountStatus;
  available_micros: Micros;
  rate_limit_rpm: number;
  max_concurrent_jobs: number;
  retention_days: number;
  webhook_signing_configured: boolean;
  /** All three are null if auto-recharge was never set up. */
  recharge_enabled: boolean | null;
  recharge_threshold_micros: Micros | null;
  recharge_amount_micros: Micros | null;
  api_key_id: string;
  api_key_name: string;
  api_key_prefix: string;
  created_at: Date;
}

/** Converts a row to (API: Account). */
export function toAccount(row: AccountRow): Account {
  return {
    object: 'account',
    id: row.id,
    name: row.name,
    status: row.status,
    currency: 'USD',
    balance_micros: row.available_micros,
    balance_usd: toUsd(row.available_micros),
    rate_limit_rpm: row.rate_limit_rpm,
    max_concurrent_jobs: row.max_concurrent_jobs,
    retention_days: row.retention_days,
    auto_recharge: {
      enabled: row.recharge_enabled ?? false,
      threshold_usd: row.recharge_threshold_micros && toUsd(row.recharge_threshold_micros),
      amount_usd: row.recharge_amount_micros && toUsd(row.recharge_amount_micros),
    },
    webhook_signing_configured: row.webhook_signing_configured,
    api_key: { id: row.api_key_id, name: row.api_key_name, prefix: row.api_key_prefix },
    created_at: row.created_at.toISOString(),
  };
}
