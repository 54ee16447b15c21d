import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { Account, AccountStatus } from './account';

/** What the door knows of a caller after one question. */
export interface Admission {
  account_id: string;
  api_key_id: string;
  account_status: AccountStatus;
  /** The models that the key may create jobs with; any where it is left out. */
  allowed_models?: string[];
  rate: RateDecision;
}

/** A key at the door. */
export interface AdmitRequest {
  /** In hex; the key itself never travels. */
  key_sha256: string;
  /** 0 only describes the bucket, for what is not limited by key. */
  tokens: 0 | 1;
}

/** One token asked of the key's bucket. */
export interface RateDecision {
  allowed: boolean;
  /** `RateLimit-Limit`: requests per minute. */
  limit: number;
  /** `RateLimit-Remaining`: whole requests left now. */
  remaining: number;
  /** Whole seconds until the next token, at least 1; only where not allowed. */
  retry_after_seconds?: number;
}

export interface ReserveRequest {
  account_id: string;
  /** The key that asks; its spending cap is kept only where it is named. */
  api_key_id?: string;
  job_id: string;
  amount_micros: Micros;
}

export interface FundsRequest {
  account_id: string;
  /** The key that asks; its spending cap is looked at only where it is named. */
  api_key_id?: string;
  amount_micros: Micros;
}

export interface Reservation {
  /** What is held: the amount of the job's first reserve, also where a repeated one names another. */
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

/** A hold however it stands, for whoever owns the jobs to compare. */
export interface KnownHold {
  job_id: string;
  account_id: string;
  amount_micros: Micros;
  state: 'held' | 'captured' | 'refunded';
}

export interface ChargingHoldsRequest {
  /** Open holds that are younger may still wait for their job. */
  open_for_seconds: number;
  /** The last hold of the page before; null for the first page. */
  after_job_id: string | null;
  /** At most 1,000. */
  limit: number;
}

export interface OpenHoldsRequest {
  older_than_seconds: number;
  /** The last hold of the page before; null for the first page. */
  after_job_id: string | null;
  /** At most 1,000. */
  limit: number;
}

export interface HoldEnd {
  state: 'captured' | 'refunded' | 'none';
}

export const billingRpc = {
  /** Knows the key and takes a token from its bucket. */
  admit: rpc<AdmitRequest, Admission>('billing.v1.admit', {
    timeoutMs: 2_000,
    errors: ['invalid_api_key', 'capacity'],
    batching: { maxItems: 32, maxConcurrent: 2, fairBy: ({ key_sha256 }) => key_sha256 },
  }),
  getAccount: rpc<{ account_id: string; api_key_id: string }, Account>('billing.v1.get_account', {
    timeoutMs: 5_000,
    errors: ['not_found', 'capacity'],
  }),
  /**
   * Holds the money and a concurrency slot for a job; the same job again changes nothing. A job whose hold has ended,
   * also by a refund that came before any reserve, can never be reserved again: `capacity`, and a new job id helps.
   */
  reserve: rpc<ReserveRequest, Reservation>('billing.v1.reserve', {
    timeoutMs: 5_000,
    errors: [
      'insufficient_balance',
      'key_budget_exceeded',
      'concurrency_limit',
      'account_paused',
      'account_suspended',
      'account_closed',
      'capacity',
    ],
    batching: { maxItems: 32, maxConcurrent: 2, fairBy: ({ account_id }) => account_id },
  }),
  /**
   * Whether an account, and the key that asks, could pay so much now. Nothing is held, and an account that is recharged by
   * itself can pay: a reserve may still be refused. It saves the work before a reserve that would be refused for certain.
   */
  checkFunds: rpc<FundsRequest, Record<string, never>>('billing.v1.check_funds', {
    timeoutMs: 2_000,
    errors: ['insufficient_balance', 'key_budget_exceeded', 'capacity'],
  }),
  /** Ends the job's hold by charging it. Idempotent; a hold that was refunded stays refunded. */
  capture: rpc<{ job_id: string }, HoldEnd>('billing.v1.capture', {
    timeoutMs: 5_000,
    errors: ['capacity'],
    batching: { maxItems: 32, maxConcurrent: 2 },
  }),
  /**
   * Ends the job's hold by giving it back. Idempotent; a hold that was captured stays captured. A hold that never was
   * is fine (`none`), and from then on never will be: a reserve that was under way meanwhile is refused.
   */
  refund: rpc<{ job_id: string }, HoldEnd>('billing.v1.refund', {
    timeoutMs: 5_000,
    errors: ['capacity'],
    batching: { maxItems: 32, maxConcurrent: 2 },
  }),
  /** Holds that are older than the given age and still open, by job id, for whoever owns the jobs to compare. */
  listOpenHolds: rpc<OpenHoldsRequest, { holds: OpenHold[] }>('billing.v1.list_open_holds', {
    timeoutMs: 5_000,
    errors: ['capacity'],
  }),
  /** The holds of these jobs, at most 1,000. */
  findHolds: rpc<{ job_ids: string[] }, { holds: KnownHold[] }>('billing.v1.find_holds', {
    timeoutMs: 10_000,
    errors: ['capacity'],
  }),
  /** Holds that cost their account money, captured or open for long, by job id. */
  listChargingHolds: rpc<ChargingHoldsRequest, { holds: KnownHold[] }>('billing.v1.list_charging_holds', {
    timeoutMs: 10_000,
    errors: ['capacity'],
  }),
  /** The secrets that sign an account's webhooks now, newest first. */
  getWebhookSecrets: rpc<{ account_id: string }, { secrets: string[] }>('billing.v1.get_webhook_secrets', {
    timeoutMs: 5_000,
    errors: ['not_found', 'capacity'],
  }),
} as const;
