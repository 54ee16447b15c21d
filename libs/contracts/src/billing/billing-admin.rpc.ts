import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { PageRequest, PartialList } from '../shared/page';
import type { AccountStatus } from './account';
import type { KeyScope } from './api-key-format';
import type { GrantCreditRequest, LedgerReport, TopUpRequest, VerifyLedgerRequest } from './ledger.rpc';
import type { OpenHold } from './billing.rpc';
import type { OperatorAction, OperatorRequest } from './operator-action';
import type { Statement, StatementRequest } from './statement';

/** Each may be any positive integer; retention is 1 to 365 days. A missing field keeps its value, or takes the default. */
export interface AccountLimits {
  rate_limit_rpm?: number;
  max_concurrent_jobs?: number;
  retention_days?: number;
}

/** The limits of an account that is opened without explicit ones (decisions: Account). */
export const DEFAULT_LIMITS: Required<AccountLimits> = {
  rate_limit_rpm: 60,
  max_concurrent_jobs: 5,
  retention_days: 7,
};

/** The default time for which a previous webhook secret signs beside a new one. */
export const DEFAULT_GRACE_HOURS = 24;

export interface CreateAccountRequest extends AccountLimits, OperatorRequest {
  name: string;
  /** A UUID of version 7, whose time orders the accounts. A repeat is refused, so a lost answer makes no second account. */
  account_id?: string;
  balance_micros?: Micros;
  /** An opening balance that was not paid for. */
  credit_micros?: Micros;
  /** What the account's first key may do; DEFAULT_KEY_SCOPE when left out. */
  key_scope?: KeyScope;
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
  /** What is owed for payments that went back; the next top-up pays it first. */
  owed_micros?: Micros;
  rate_limit_rpm: number;
  max_concurrent_jobs: number;
  retention_days: number;
  /** Null where it pays the price list. */
  price_group?: string | null;
  /** Null if it was never configured. */
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

export interface SetPriceGroupRequest extends OperatorRequest {
  account_id: string;
  /** A group of the catalog; null for the price list, as is any name that the catalog does not know. */
  price_group: string | null;
}

export interface AdjustBalanceRequest extends OperatorRequest {
  account_id: string;
  /** Negative to take money away; never 0. */
  amount_micros: Micros;
  reason: string;
  /** The operator's own id of the change: a repeat changes nothing. */
  reference?: string;
}

/** The account after the change, and the entry in its statement. */
export interface ToppedUpAccount extends AccountDetails {
  /** The entry, also that of an earlier request with the same reference. */
  entry_id?: string;
  /** Whether an earlier request with the same reference has created the entry already. */
  entry_repeated?: boolean;
}

export interface RotateWebhookSecretRequest extends OperatorRequest {
  account_id: string;
  /** Hours for which the previous secret signs beside the new one: 0 to 720, by default DEFAULT_GRACE_HOURS. */
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
  /** What the key may do; DEFAULT_KEY_SCOPE when left out. */
  scope?: KeyScope;
  /** RFC 3339, in the future. */
  expires_at?: string;
  /** The models that the key may create jobs with, 1 to 100; any when left out. */
  allowed_models?: string[];
  /** The spending limit for jobs of the key in one period. Give both fields or neither. */
  cap_micros?: Micros;
  cap_period?: CapPeriod;
}

export interface RevokeKeyRequest extends OperatorRequest {
  /** Where it is given, a key of another account is not found. */
  account_id?: string;
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
  /** What the key may do; DEFAULT_KEY_SCOPE where this is left out. */
  scope?: KeyScope;
  /** Null where it may use any model. */
  allowed_models: string[] | null;
  /** Null, as the two below, if only the account's balance limits the key. */
  cap_micros: Micros | null;
  cap_period: CapPeriod | null;
  /** What its jobs of the current period have reserved and cost. */
  spent_in_period_micros: Micros | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

export interface SetAutoRechargeRequest extends OperatorRequest {
  account_id: string;
  enabled: boolean;
  /** The account is charged when its balance is below this. Every missing field keeps its value. */
  threshold_micros?: Micros;
  /** In whole cents, at least half a dollar. */
  amount_micros?: Micros;
  /** Upper limit of charges in a month of UTC; null for none. */
  monthly_cap_micros?: Micros | null;
  /** The payment method and its owner, as ids of the payment provider. */
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
  /** Consecutive failures so far. */
  failures: number;
  /** Why Kinora switched it off; null if it did not. */
  stopped_reason: string | null;
}

/** A list that belongs to an account. */
export interface AccountListRequest extends PageRequest {
  account_id: string;
}

/** One charge of an account. */
export interface PaymentDetails {
  payment_id: string;
  provider: string;
  amount_micros: Micros;
  /** Unknown: the charge was sent, and its outcome is queried until it is known. */
  state: 'begun' | 'unknown' | 'succeeded' | 'failed';
  /** The provider's id of the charge. */
  reference: string | null;
  failure: string | null;
  /** `checkout`: by a page of the payment provider. `recharge`: of a saved card, by auto-recharge. */
  kind?: 'recharge' | 'checkout';
  /** The invoice at the payment provider. */
  invoice_url?: string | null;
  /** What operators have given back of it. */
  refunded_micros?: Micros;
  /** The last dispute about it. */
  dispute?: 'open' | 'won' | 'lost' | null;
  created_at: string;
  ended_at: string | null;
}

export interface EndPaymentRequest extends OperatorRequest {
  account_id: string;
  payment_id: string;
  reason: string;
}

const ON_ACCOUNT = { errors: ['not_found', 'invalid_body'] } as const;

/** Operations for operators; none of them can be reached through the public API. */
export const billingAdminRpc = {
  createAccount: rpc<CreateAccountRequest, CreatedAccount>('billing.v1.create_account', { errors: ['invalid_body'] }),
  showAccount: rpc<{ account_id: string }, AccountDetails>('billing.v1.show_account', { errors: ['not_found'] }),
  getStatement: rpc<StatementRequest, Statement>('billing.v1.get_statement', {
    timeoutMs: 10_000,
    errors: ['not_found', 'invalid_body'],
  }),
  /** Records a payment. Idempotent if a reference is given. */
  topUp: rpc<TopUpRequest, ToppedUpAccount>('billing.v1.top_up', ON_ACCOUNT),
  /** Grants credit without a payment. Idempotent if a reference is given. */
  grantCredit: rpc<GrantCreditRequest, ToppedUpAccount>('billing.v1.grant_credit', ON_ACCOUNT),
  /** Corrects a balance. Idempotent if a reference is given. */
  adjustBalance: rpc<AdjustBalanceRequest, ToppedUpAccount>('billing.v1.adjust_balance', ON_ACCOUNT),
  /** Changes that operators have made to an account, newest first, at most 1,000 a page. */
  listActions: rpc<AccountListRequest, PartialList<OperatorAction>>('billing.v1.list_actions', ON_ACCOUNT),
  setStatus: rpc<SetStatusRequest, AccountDetails>('billing.v1.set_status', ON_ACCOUNT),
  setPriceGroup: rpc<SetPriceGroupRequest, AccountDetails>('billing.v1.set_price_group', ON_ACCOUNT),
  setLimits: rpc<SetLimitsRequest, AccountDetails>('billing.v1.set_limits', ON_ACCOUNT),
  rotateWebhookSecret: rpc<RotateWebhookSecretRequest, RotatedWebhookSecret>(
    'billing.v1.rotate_webhook_secret',
    ON_ACCOUNT,
  ),
  setAutoRecharge: rpc<SetAutoRechargeRequest, AutoRechargeDetails>('billing.v1.set_auto_recharge', ON_ACCOUNT),
  /** The charges of an account, newest first, at most 1,000 a page. */
  listPayments: rpc<AccountListRequest, PartialList<PaymentDetails>>('billing.v1.list_payments', ON_ACCOUNT),
  /**
   * Ends a payment whose outcome the provider does not tell: as failed, unless a last look-up says otherwise. An ended payment
   * is returned as it is.
   */
  endPayment: rpc<EndPaymentRequest, PaymentDetails>('billing.v1.end_payment', {
    timeoutMs: 30_000,
    errors: ['not_found', 'invalid_body'],
  }),
  createKey: rpc<CreateKeyRequest, CreatedKey>('billing.v1.create_key', ON_ACCOUNT),
  /** An account's keys, newest first, at most 1,000 a page. */
  listKeys: rpc<AccountListRequest, PartialList<ApiKeyDetails>>('billing.v1.list_keys', ON_ACCOUNT),
  revokeKey: rpc<RevokeKeyRequest, ApiKeyDetails>('billing.v1.revoke_key', ON_ACCOUNT),
  /** An account's open holds, oldest first, at most 1,000 a page. */
  listHolds: rpc<AccountListRequest, PartialList<OpenHold>>('billing.v1.list_holds', ON_ACCOUNT),
  /** Compares wallets with the ledger, as many as fit into the time limit, and names each violated invariant. */
  verifyLedger: rpc<VerifyLedgerRequest, LedgerReport>('billing.v1.verify_ledger', {
    timeoutMs: 90_000,
    errors: ['invalid_body'],
  }),
} as const;
