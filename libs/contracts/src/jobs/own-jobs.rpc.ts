import type { PresentedKeyRequest } from '../billing/portal.rpc';
import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { Count, UtcDay } from '../shared/scalars';
import type { JobKind, JobList, JobStatus } from './job';

/** Values exactly as the page has sent them. */
export interface SearchJobsRequest extends PresentedKeyRequest {
  /** Every one of these words is in the prompt. */
  words?: string;
  kind?: JobKind;
  status?: JobStatus;
  model?: string;
  /** The first and the last day of the creation, in UTC. */
  from?: UtcDay;
  to?: UtcDay;
  limit: number;
  cursor?: string;
}

export interface UsageDetailsRequest extends PresentedKeyRequest {
  /** As for `jobs.v1.get_usage`. */
  from?: string;
  to?: string;
}

/** What a chart shows beyond the public report of usage. */
export interface UsageDetails {
  /** Groups that have cost something, in the order of the days. */
  spend: { day: UtcDay; model: string; charged_micros: Micros }[];
  /** From the creation to the end, of the newest jobs of the period that succeeded; null without one. */
  latency: { jobs: Count; p50_ms: Count; p95_ms: Count } | null;
}

/** Requests of the customers' half of the console, beyond the public API. Each proves the key of its session. */
export const ownJobsRpc = {
  /** The account's jobs, newest first. A page reads a part of the jobs, so it may be short although more follow. */
  search: rpc<SearchJobsRequest, JobList>('jobs.v1.search_own', { errors: ['invalid_api_key', 'invalid_query'] }),
  showUsage: rpc<UsageDetailsRequest, UsageDetails>('jobs.v1.show_own_usage', {
    errors: ['invalid_api_key', 'invalid_query'],
  }),
} as const;
