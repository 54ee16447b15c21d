import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { Job, JobStatus } from './job';
import type { ReceiptKey } from './receipt';

export interface ListAllJobsRequest {
  account_id?: string;
  status?: JobStatus;
  model?: string;
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

export const jobsAdminRpc = {
  /** Sums over jobs sold under quotes at former prices, newest day first; without those that were refunded. */
  listQuoteSales: rpc<{ since?: string; account_id?: string }, { data: QuoteSales[] }>('jobs.v1.list_quote_sales', {
    timeoutMs: 10_000,
    errors: ['invalid_body', 'capacity'],
  }),
  /** Jobs of all accounts for operators, newest first. */
  listAll: rpc<ListAllJobsRequest, JobSummaryPage>('jobs.v1.list_all', {
    timeoutMs: 10_000,
    errors: ['invalid_body', 'invalid_query', 'capacity'],
  }),
  /** Withdraws a public key whose private half has leaked: it is published no more. A repeated request changes nothing. */
  withdrawReceiptKey: rpc<{ kid: string }, ReceiptKey>('jobs.v1.withdraw_receipt_key', {
    timeoutMs: 5_000,
    errors: ['not_found', 'capacity'],
  }),
} as const;
