import { rpc } from '../shared/contract';
import { healthCheck } from '../shared/health';
import type { Micros } from '../shared/money';
import type { Account, AccountStatus } from './account';
import type { KeyScope } from './api-key-format';

/** What the gateway needs to know of a caller, from one request. */
export interface Admission {
  account_id: string;
  api_key_id: string;
  account_status: AccountStatus;
  /** What the key may do. */
  scope: KeyScope;
  /** The models that the key may create jobs with; absent if any is allowed. */
  allowed_models?: string[];
  /** What the account pays; absent for the price list. */
  price_group?: string;
  rate: RateDecision;
  /** Present if tokens were requested as a lease and the bucket can spare some. */
  lease?: TokenLease;
}

/** A key presented to the gateway. */
export interface AdmitRequest {
  /** The hash in hex; the key itself is never sent between services. */
  key_sha256: string;
  /** 0 only reads the bucket, for routes without a limit per key. */
  tokens: 0 | 1;
  /** How many more tokens the gateway would spend by itself in the next second. Billing may grant more, fewer or none. */
  lease_tokens?: number;
}

/**
 * Tokens of a key's bucket that the gateway may spend without another request, with the facts of the admission. All
 * times are durations, so that the clocks of gateway and database need not agree.
 */
export interface TokenLease {
  tokens: number;
  /** The refill time of one token. */
  token_micros: number;
  /** The time until the bucket is full again, with all leased tokens counted as spent. */
  missing_micros: number;
  /** Less than a second, and no longer than the key is valid. Counts from the moment at which the gateway sent its request. */
  duration_ms: number;
}

/** Keys under which something is open at the gateway. */
export interface FindInvalidKeysRequest {
  /** The hashes in hex, at most 1,000. */
  key_sha256s: string[];
}

/** The end of a lease: its tokens are no longer spent by the gateway. */
export interface ReturnLeaseRequest {
  api_key_id: string;
  /** The leased tokens times `token_micros`. */
  leased_micros: number;
  /** The part of `leased_micros` that was not spent. */
  unused_micros: number;
}

/** The result of taking one token from the key's bucket. */
export interface RateDecision {
  allowed: boolean;
  /** `RateLimit-Limit`: requests per minute. */
  limit: number;
  /** `RateLimit-Remaining`: whole requests left now. */
  remaining: number;
  /** Whole seconds until the next token, at least 1; present only if not allowed. */
  retry_after_seconds?: number;
}

export interface ReserveRequest {
  account_id: string;
  /** The key of the request; its spending limit applies only if it is given. */
  api_key_id?: string;
  job_id: string;
  amount_micros: Micros;
}

export interface FundsRequest {
  /** Counts what is available now, as a reserve does: neither held money nor a recharge. */
  available_only?: boolean;
  account_id: string;
  /** The key of the request; its spending limit is checked only if it is given. */
  api_key_id?: string;
  amount_micros: Micros;
}

export interface Reservation {
  /** The reserved amount: that of the job's first reserve, also if a repeated one gives another amount. */
  amount_micros: Micros;
  retention_days: number;
}

/** A hold that has ended neither in a capture nor in a refund. */
export interface OpenHold {
  job_id: string;
  account_id: string;
  amount_micros: Micros;
  created_at: string;
}

/** A hold in any state, for reconciliation with the jobs. */
export interface KnownHold {
  job_id: string;
  account_id: string;
  amount_micros: Micros;
  state: 'held' | 'captured' | 'refunded';
}

export interface ChargingHoldsRequest {
  /** Only holds of at least this age: younger ones may still wait for their job. */
  open_for_seconds: number;
  /** The last hold of the previous page; null for the first page. */
  after_job_id: string | null;
  /** At most 1,000. */
  limit: number;
}

export interface OpenHoldsRequest {
  older_than_seconds: number;
  /** The last hold of the previous page; null for the first page. */
  after_job_id: string | null;
  /** At most 1,000. */
  limit: number;
}

/** An entry of the ledger about a job. */
export interface JobEntry {
  entry_id: string;
  kind: 'reserve' | 'capture' | 'refund';
  amount_micros: Micros;
  created_at: string;
}

export interface HoldEnd {
  state: 'captured' | 'refunded' | 'none';
}

export const billingRpc = {
  /** Authenticates the key and takes a token from its bucket, and more tokens as a lease if requested. */
  admit: rpc<AdmitRequest, Admission>('billing.v1.admit', {
    timeoutMs: 2_000,
    errors: ['invalid_api_key'],
    batching: { maxItems: 32, maxConcurrent: 2, fairBy: ({ key_sha256 }) => key_sha256 },
  }),
  /** Those of the keys that are unknown, revoked, expired, or replaced by a rotation whose overlap is over. Counts as no use. */
  findInvalidKeys: rpc<FindInvalidKeysRequest, { key_sha256s: string[] }>('billing.v1.find_invalid_keys'),
  /** Gives the unused tokens of a lease back to the bucket. Sent once for each lease; after a failure they are lost and refill. */
  returnLease: rpc<ReturnLeaseRequest, Record<string, never>>('billing.v1.return_lease', {
    timeoutMs: 1_000,
    batching: { maxItems: 32, maxConcurrent: 2, fairBy: ({ api_key_id }) => api_key_id },
  }),
  getAccount: rpc<{ account_id: string; api_key_id: string }, Account>('billing.v1.get_account', {
    errors: ['not_found'],
  }),
  /**
   * Reserves the money and a concurrency slot for a job; repeating it for the same job changes nothing. A job whose hold has
   * ended can never be reserved again, also if a refund came before any reserve. It fails with `capacity`, and the caller must
   * use a new job id.
   */
  reserve: rpc<ReserveRequest, Reservation>('billing.v1.reserve', {
    errors: [
      'insufficient_balance',
      'key_budget_exceeded',
      'concurrency_limit',
      'account_paused',
      'account_suspended',
      'account_closed',
    ],
    batching: { maxItems: 32, maxConcurrent: 2, fairBy: ({ account_id }) => account_id },
  }),
  /**
   * Whether an account and its key could pay the amount now, and a job slot is free. Nothing is reserved, and an account with
   * automatic recharge counts as able to pay. A later reserve may still be refused. The check avoids expensive work before a
   * reserve that would be refused.
   */
  checkFunds: rpc<FundsRequest, Record<string, never>>('billing.v1.check_funds', {
    timeoutMs: 2_000,
    errors: ['insufficient_balance', 'key_budget_exceeded', 'concurrency_limit'],
  }),
  /** Captures the job's hold. Idempotent; a hold that was refunded stays refunded. */
  capture: rpc<{ job_id: string }, HoldEnd>('billing.v1.capture', {
    batching: { maxItems: 32, maxConcurrent: 2 },
  }),
  /**
   * Refunds the job's hold. Idempotent; a hold that was captured stays captured. Without a hold the result is `none`, and a
   * later or concurrent reserve for the job is refused.
   */
  refund: rpc<{ job_id: string }, HoldEnd>('billing.v1.refund', {
    batching: { maxItems: 32, maxConcurrent: 2 },
  }),
  /** Holds that are older than the given age and still open, by job id, for reconciliation with the jobs. */
  listOpenHolds: rpc<OpenHoldsRequest, { holds: OpenHold[] }>('billing.v1.list_open_holds'),
  /** The holds of these jobs, at most 1,000. */
  findHolds: rpc<{ job_ids: string[] }, { holds: KnownHold[] }>('billing.v1.find_holds', { timeoutMs: 10_000 }),
  /** The entries of the ledger about a job, in their order: its reserve, then its capture or refund. */
  findJobEntries: rpc<{ job_id: string }, { entries: JobEntry[] }>('billing.v1.find_job_entries', { timeoutMs: 2_000 }),
  /** Holds that were captured, or have been open for long, by job id. */
  listChargingHolds: rpc<ChargingHoldsRequest, { holds: KnownHold[] }>('billing.v1.list_charging_holds', {
    timeoutMs: 10_000,
  }),
  /** The current signing secrets of an account's webhooks, newest first. */
  getWebhookSecrets: rpc<{ account_id: string }, { secrets: string[] }>('billing.v1.get_webhook_secrets', {
    errors: ['not_found'],
  }),
} as const;

export const billingHealthRpc = {
  check: healthCheck('billing'),
} as const;
