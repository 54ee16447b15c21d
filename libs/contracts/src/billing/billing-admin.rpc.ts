import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { PageRequest, PartialList } from '../shared/page';
import type { AccountStatus } from './account';
import type { LedgerReport, VerifyLedgerRequest } from './ledger-report';
import type { OpenHold } from './billing.rpc';
import type { TopUpRequest } from './deposit';
import type { OperatorAction, OperatorRequest } from './operator-action';
import type { Statement, StatementRequest } from './statement';

/** Each may be any positive integer; retention is 1 to 365 days. What is left out keeps its value, or the default. */
export interface AccountLimits {
  rate_limit_rpm?: number;
  max_concurrent_jobs?: number;
  retention_days?: number;
}

/** The limits of an account that is opened without others (decisions: Account). */
export const DEFAULT_LIMITS: Required<AccountLimits> = {
  rate_limit_rpm: 60,
  max_concurrent_jobs: 5,
  retention_days: 7,
};

/** How long a previous webhook secret signs beside a new one where nothing else is said. */
export const DEFAULT_GRACE_HOURS = 24;

export interface CreateAccountRequest extends AccountLimits, OperatorRequest {
  name: string;
  balance_micros?: Micros;
}

export interface CreatedAccount {
  account_id: string;
  /** Shown once; only a hash is stored. */
  api_key: string;
  api_key_id: string;
  webhook_secret: string;
}

export interface AccountDetails {
  account_id: string;
  name: string;
  status: AccountStatus;
  status_reason: string | null;
  balance_micros: Micros;
  held_micros: Micros;
  spent_micros: Micros;
  in_flight_jobs: number;
  rate_limit_rpm: number;
  max_concurrent_jobs: number;
  retention_days: number;
  /** Null where nobody has ever set it up. */
  auto_recharge: AutoRechargeDetails | null;
  created_at: string;
}

export interface SetLimitsRequest extends AccountLimits, OperatorRequest {
  account_id: string;
}

export interface SetStatusRequest extends OperatorRequest {
  account_id: string;
  status: AccountStatus;
}

export interface AdjustBalanceRequest extends OperatorRequest {
  account_id: string;
  /** Below zero to take money away; never 0. */
  amount_micros: Micros;
  reason: string;
}

/** The account after the change, and the line of its statement. */
export interface ToppedUpAccount extends AccountDetails {
  /** Absent in answers of older releases. */
  entry_id?: string;
  /** Whether an earlier request of the same reference has made the line already. */
  entry_repeated?: boolean;
}

export interface RotateWebhookSecretRequest extends OperatorRequest {
  account_id: string;
  /** How long the previous secret goes on signing beside the new one: 0 to 720, by default DEFAULT_GRACE_HOURS. */
  grace_hours?: number;
}

export interface RotatedWebhookSecret {
  webhook_secret: string;
  previous_valid_until: string;
}

/** Days and months of UTC. */
export const CAP_PERIODS = ['day', 'month'] as const;
export type CapPeriod = (typeof CAP_PERIODS)[number];

export interface CreateKeyRequest extends OperatorRequest {
  account_id: string;
  name: string;
  /** RFC 3339, in the future. */
  expires_at?: string;
  /** The models that the key may create jobs with, 1 to 100; any when left out. */
  allowed_models?: string[];
  /** What jobs of the key may cost in one period; both or neither. */
  cap_micros?: Micros;
  cap_period?: CapPeriod;
}

export interface RevokeKeyRequest extends OperatorRequest {
  api_key_id: string;
}

export interface CreatedKey {
  api_key: string;
  api_key_id: string;
  prefix: string;
}

export interface ApiKeyDetails {
  api_key_id: string;
  name: string;
  prefix: string;
  /** Null where it may use any model. */
  allowed_models: string[] | null;
  /** Null, as the two below, where the account's balance is its only bound. */
  cap_micros: Micros | null;
  cap_period: CapPeriod | null;
  /** What its jobs of the current period hold and have cost. */
  spent_in_period_micros: Micros | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

export interface SetAutoRechargeRequest extends OperatorRequest {
  account_id: string;
  enabled: boolean;
  /** The account is charged when its balance is below this. Like all below, it stays as it was where it is left out. */
  threshold_micros?: Micros;
  /** In whole cents, at least half a dollar. */
  amount_micros?: Micros;
  /** What may be charged in a month of UTC; null for no bound. */
  monthly_cap_micros?: Micros | null;
  /** What is charged, and whose it is, as the payment provider calls them. */
  payment_method?: string;
  customer?: string;
}

export interface AutoRechargeDetails {
  enabled: boolean;
  threshold_micros: Micros;
  amount_micros: Micros;
  monthly_cap_micros: Micros | null;
  payment_method: string;
  customer: string | null;
  /** In a row, so far. */
  failures: number;
  /** Why it was switched off, where Kinora itself has done so. */
  stopped_reason: string | null;
}

/** A list of what an account has. */
export interface AccountListRequest extends PageRequest {
  account_id: string;
}

/** One charge of an account. */
export interface PaymentDetails {
  payment_id: string;
  provider: string;
  amount_micros: Micros;
  /** Unknown: it was sent, and is looked up until its end is known. */
  state: 'begun' | 'unknown' | 'succeeded' | 'failed';
  /** What the provider calls it. */
  reference: string | null;
  failure: string | null;
  created_at: string;
  ended_at: string | null;
}

/** What operators do; nothing here is reachable from the public interface. */
export const billingAdminRpc = {
  createAccount: rpc<CreateAccountRequest, CreatedAccount>('billing.v1.create_account', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'capacity'],
  }),
  showAccount: rpc<{ account_id: string }, AccountDetails>('billing.v1.show_account', {
    timeoutMs: 5_000,
    errors: ['not_found', 'capacity'],
  }),
  getStatement: rpc<StatementRequest, Statement>('billing.v1.get_statement', {
    timeoutMs: 10_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  /** Money that was paid. With a reference it is idempotent. */
  topUp: rpc<TopUpRequest, ToppedUpAccount>('billing.v1.top_up', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  /** Money that was given, not paid. With a reference it is idempotent. */
  grantCredit: rpc<TopUpRequest, ToppedUpAccount>('billing.v1.grant_credit', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  adjustBalance: rpc<AdjustBalanceRequest, AccountDetails>('billing.v1.adjust_balance', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  /** What operators have done to an account, newest first, at most 1,000 a page. */
  listActions: rpc<AccountListRequest, PartialList<OperatorAction>>('billing.v1.list_actions', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  setStatus: rpc<SetStatusRequest, AccountDetails>('billing.v1.set_status', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  setLimits: rpc<SetLimitsRequest, AccountDetails>('billing.v1.set_limits', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  rotateWebhookSecret: rpc<RotateWebhookSecretRequest, RotatedWebhookSecret>('billing.v1.rotate_webhook_secret', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  setAutoRecharge: rpc<SetAutoRechargeRequest, AutoRechargeDetails>('billing.v1.set_auto_recharge', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  /** What an account was charged, newest first, at most 1,000 a page. */
  listPayments: rpc<AccountListRequest, PartialList<PaymentDetails>>('billing.v1.list_payments', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  createKey: rpc<CreateKeyRequest, CreatedKey>('billing.v1.create_key', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  /** An account's keys, newest first, at most 1,000 a page. */
  listKeys: rpc<AccountListRequest, PartialList<ApiKeyDetails>>('billing.v1.list_keys', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  revokeKey: rpc<RevokeKeyRequest, ApiKeyDetails>('billing.v1.revoke_key', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  /** An account's open holds, oldest first, at most 1,000 a page. */
  listHolds: rpc<AccountListRequest, PartialList<OpenHold>>('billing.v1.list_holds', {
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
  /** Compares wallets with the ledger, as many as there is time for, and names each invariant that does not hold. */
  verifyLedger: rpc<VerifyLedgerRequest, LedgerReport>('billing.v1.verify_ledger', {
    timeoutMs: 90_000,
    errors: ['invalid_body', 'capacity'],
  }),
} as const;
