/** The shapes of the operator's half; each is the answer of a contract, which describes its fields. */

export interface OperatorSession {
  kind: 'operator' | null;
  csrf_token: string | null;
  user: { id: string; email: string; role: Role } | null;
  /** Until then the password need not be given again. */
  confirmed_until: string | null;
  /** What the role of the user may do. */
  permissions: Permission[];
  /** Whether there is no operator yet. */
  needs_setup: boolean;
  /** Whether operators can sign in at an identity provider. */
  has_oidc: boolean;
  expires_at: string | null;
}

export const ROLES = ['owner', 'finance', 'support', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** What a role may do; the operators' half of the backend has the table. */
export type Permission =
  | 'view'
  | 'change_money'
  | 'change_status'
  | 'change_limits'
  | 'cancel_jobs'
  | 'refund_jobs'
  | 'switch_models'
  | 'lift_strikes'
  | 'replay_policy'
  | 'view_media'
  | 'redeliver'
  | 'verify_ledger'
  | 'open_portal'
  | 'view_audit'
  | 'manage_users';

export const OPERATOR = '/admin/v1/operator';
export const OPERATOR_SESSION = `${OPERATOR}/session`;

export interface ModelQueue {
  model: string;
  waiting: number;
  processing: number;
  oldest_waiting_seconds: number | null;
}

/** A part whose service does not answer is null. */
export interface Overview {
  jobs: {
    created_per_second: number;
    model_queues: ModelQueue[];
    unsettled_jobs: number;
    oldest_unsettled_seconds: number;
    errors: { code: string; last_hour: number; last_day: number }[];
  } | null;
  instances: ComputeInstance[] | null;
  ledger: LedgerDays | null;
}

export interface LedgerDay {
  day: string;
  top_ups_micros: number;
  credits_micros: number;
  adjustments_micros: number;
  reserved_micros: number;
  captures: number;
  captured_micros: number;
  refunds: number;
  refunded_micros: number;
}

export interface LedgerDays {
  data: LedgerDay[];
  verification: { verified_at: string | null; violations: number; drift_micros: number };
}

export interface AccountSummary {
  account_id: string;
  name: string;
  status: string;
  balance_micros: number;
  in_flight_jobs: number;
  created_at: string;
}

export interface AccountDetails extends AccountSummary {
  status_reason: string | null;
  held_micros: number;
  spent_micros: number;
  rate_limit_rpm: number;
  max_concurrent_jobs: number;
  retention_days: number;
}

export interface OperatorAction {
  action: string;
  actor: string | null;
  reason: string | null;
  details: Record<string, unknown>;
  created_at: string;
}

export interface JobSummary {
  job_id: string;
  account_id: string;
  status: string;
  kind: string;
  model: string;
  error_code: string | null;
  charged_micros: number;
  created_at: string;
  completed_at: string | null;
  provider?: string;
}

export interface Attempt {
  number: number;
  provider: string;
  state: string;
  outcome: string | null;
  problem: string | null;
  reason?: string | null;
  gpu_ms: number | null;
  created_at: string;
  ended_at: string | null;
}

export interface ComputeInstance {
  id: string;
  type: string;
  slots: number;
  used_slots: number;
  free_slots: number;
  is_breaker_open: boolean;
  unknown_attempts: number;
  run_times: { model: string; jobs: number; p50_ms: number; p95_ms: number }[];
}

export interface ComputeState {
  instances: ComputeInstance[];
  unknown_attempts: { job_id: string; number: number; provider: string; checked_at: string }[];
}

export interface OperatorModel {
  model: { id: string; label: string; type: string; price: { micros: number; per: string } | null };
  enabled: boolean;
  routes: { provider: string }[];
}

export interface Decision {
  decision_id: string;
  account_id: string;
  job_id: string;
  stage: string;
  verdict: string;
  engine: string | null;
  reason: string | null;
  policy_version: string | null;
  created_at: string;
}

export interface Strike {
  strike_id: string;
  account_id: string;
  job_id: string;
  decision_id: string;
  created_at: string;
  lifted_at: string | null;
  lifted_by: string | null;
  lift_reason: string | null;
}

export interface PolicyReplay {
  checked: number;
  changes: {
    stage: string;
    from: string;
    to: string;
    engine: string | null;
    reason: string | null;
    decisions: number;
  }[];
  next_before_decision_id: string | null;
}

export interface FailingEndpoint {
  account_id: string;
  host: string;
  retrying: number;
  exhausted: number;
  last_response_status: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
}

export interface AuditEntry {
  id: string;
  at: string;
  actor: string;
  action: string;
  target: string | null;
  account_id: string | null;
  reason: string | null;
  /** `done`, `refused`, or `unknown` while it runs. */
  outcome: string;
}

export interface OperatorUser {
  user_id: string;
  email: string;
  role: Role;
  sign_in: 'local' | 'oidc' | 'invited';
  created_by: string | null;
  created_at: string;
  disabled_at: string | null;
}
