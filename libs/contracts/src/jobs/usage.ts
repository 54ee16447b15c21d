import type { Micros } from '../shared/money';
import type { Count, Timestamp, UtcDay } from '../shared/scalars';

/** Values of `group_by` (API: GET /usage). */
export const USAGE_GROUPINGS = ['day', 'model'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

/** What a group of jobs came to. */
export interface UsageCounters {
  jobs: Count;
  succeeded: Count;
  failed: Count;
  canceled: Count;
  in_flight: Count;
  /** In micro-USD: what is reserved for jobs in flight counts, what was given back does not. */
  charged_micros: Micros;
  charged_usd: number;
  gpu_ms: Count;
}

/** One UTC day, or one model. */
export type UsageGroup = ({ day: UtcDay } | { model: string }) & UsageCounters;

/** What the jobs of a period came to. */
export interface Usage {
  object: 'usage';
  /** Inclusive. */
  from: Timestamp;
  /** Exclusive. */
  to: Timestamp;
  group_by: UsageGrouping;
  /** The sum of the groups. */
  total: UsageCounters;
  data: UsageGroup[];
  /** Whether more was asked for than one answer covers; `from` then says where it begins. */
  truncated: boolean;
}

/** A sum of usage that is not what the jobs say. */
export interface UsageViolation {
  rule: string;
  account_id: string;
  detail: string;
}
