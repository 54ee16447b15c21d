import type { Timestamp } from '../shared/scalars';
import { rpc } from '../shared/contract';
import { healthCheck } from '../shared/health';
import type { ComplianceLine } from '../moderation/compliance.rpc';
import type { Micros } from '../shared/money';
import type { RetentionPlan } from '../shared/retention';
import type { Job, JobStatus } from './job';
import type { ReceiptKey } from './receipt';

export interface ListAllJobsRequest {
  account_id?: string;
  status?: JobStatus;
  model?: string;
  /** The id of a job, or its beginning. */
  search?: string;
  /** The instance that it was last routed to. */
  provider?: string;
  /** A code of Job.error. */
  error_code?: string;
  /** Only jobs created at this time or later (RFC 3339). */
  since?: string;
  /** Only jobs created before this time. */
  until?: string;
  /** 1 to 100, by default 20. */
  limit?: number;
  /** The `next_cursor` of the previous page. */
  cursor?: string;
}

/** A job in an operator's list; `jobs.v1.show` returns the rest. */
export interface JobSummary {
  job_id: string;
  account_id: string;
  status: JobStatus;
  kind: Job['kind'];
  model: string;
  /** Why it failed, as a code of Job.error. */
  error_code: string | null;
  charged_micros: Micros;
  created_at: string;
  completed_at: string | null;
  /** The instance that it was last routed to. Absent from a list of one account without further filters. */
  provider?: string;
}

/** Newest first. */
export interface JobSummaryPage {
  data: JobSummary[];
  has_more: boolean;
  next_cursor: string | null;
}

/** The jobs of one model and UTC day that were sold under a quote at another price than the price list had then. */
export interface QuoteSales {
  day: string;
  model: string;
  jobs: number;
  /** What they cost by their quotes. */
  quoted_micros: Micros;
  /** What they would have cost by the price list. */
  list_micros: Micros;
  /** `list_micros` minus `quoted_micros`: less than 0 if quotes were dearer. */
  shortfall_micros: Micros;
}

/** The jobs of one model that have not ended, among the 20,000 with the next deadlines. */
export interface ModelQueueTotals {
  model: string;
  waiting: number;
  processing: number;
  /** Null where none waits. */
  oldest_waiting_seconds: number | null;
}

/** Failed jobs by the code of Job.error and the time of their creation, among the newest 50,000. */
export interface ErrorTotals {
  code: string;
  last_hour: number;
  last_day: number;
}

/** The state of the service in numbers. They are cached, so they may be some seconds old. */
export interface JobTotals {
  /** The rate of the last ten seconds. */
  created_per_second: number;
  model_queues: ModelQueueTotals[];
  /** Ended jobs whose capture or refund billing has not acknowledged yet, counted up to 10,000. */
  unsettled_jobs: number;
  oldest_unsettled_seconds: number;
  /** Most frequent first. */
  errors: ErrorTotals[];
}

/** Run times at an instance, of the jobs of a model that succeeded in the last hour. */
export interface RunTimes {
  model: string;
  jobs: number;
  p50_ms: number;
  p95_ms: number;
}

/** An attempt whose submission was sent and whose answer was lost: the backend is asked until its state is known. */
export interface UnknownAttempt {
  job_id: string;
  number: number;
  provider: string;
  /** When the backend last reported a state of it. */
  checked_at: string;
}

/** The parts of the last hour of an instance that loads models; they add up to an hour. */
export interface LastHour {
  running_ms: number;
  loading_ms: number;
  idle_ms: number;
  /** With tasks that were lost or canceled. */
  unknown_ms: number;
  /** How often it loaded a model. */
  loads: number;
}

export interface ComputeInstance {
  id: string;
  type: string;
  /** How many tasks it may have at once, over all processes. */
  slots: number;
  used_slots: number;
  free_slots: number;
  /** Whether the circuit breaker of the answering process for it is open or half-open. Each process has its own. */
  is_breaker_open: boolean;
  unknown_attempts: number;
  run_times: RunTimes[];
  /** Absent for instances without loads. */
  last_hour?: LastHour;
}

/** The compute instances as the jobs service sees them; no instance is asked. */
export interface ComputeState {
  instances: ComputeInstance[];
  /** At most 100. */
  unknown_attempts: UnknownAttempt[];
}

export const jobsAdminRpc = {
  /** Sums over jobs sold under quotes at former prices, newest day first; without those that were refunded. */
  listQuoteSales: rpc<{ since?: string; account_id?: string }, { data: QuoteSales[] }>('jobs.v1.list_quote_sales', {
    timeoutMs: 10_000,
    errors: ['invalid_body'],
  }),
  /** Jobs of all accounts for operators, newest first. */
  listAll: rpc<ListAllJobsRequest, JobSummaryPage>('jobs.v1.list_all', {
    timeoutMs: 10_000,
    errors: ['invalid_body', 'invalid_query'],
  }),
  showTotals: rpc<Record<string, never>, JobTotals>('jobs.v1.show_totals'),
  /** What marks outputs besides their credentials: time stamps, and watermarks by route. */
  showMarks: rpc<Record<string, never>, { lines: ComplianceLine[] }>('jobs.v1.show_marks'),
  showCompute: rpc<Record<string, never>, ComputeState>('jobs.v1.show_compute'),
  /** What retention drops of jobs and of their attempts. */
  planRetention: rpc<Record<string, never>, { data: RetentionPlan[] }>('jobs.v1.plan_retention'),
  /** Withdraws a public key whose private half has leaked: it is published no more. A repeated request changes nothing. */
  withdrawReceiptKey: rpc<{ kid: string }, ReceiptKey>('jobs.v1.withdraw_receipt_key', { errors: ['not_found'] }),
} as const;

/** The result of examining an instance of a compute provider; the examination creates no output. */
export interface ProviderExamination {
  id: string;
  type: string;
  state: 'up' | 'degraded' | 'down';
  version?: string;
  free_slots?: number;
  /** Problems for the operator to fix, in whole sentences; empty if there are none. */
  problems: string[];
  /** What would make it faster, although nothing is wrong. */
  advice?: string;
}

/** Whether the inputs that an enabled model accepts can run on the instances of its routes. */
export interface ModelExamination {
  id: string;
  /** The instances of its routes. */
  providers: string[];
  problems: string[];
}

export interface ComputeExamination {
  providers: ProviderExamination[];
  models: ModelExamination[];
  /** When the certificate that signs content credentials expires; null where none is set. Absent from an older release. */
  certificate_expires_at?: Timestamp | null;
}

export const jobsHealthRpc = {
  check: healthCheck('jobs'),
} as const;
