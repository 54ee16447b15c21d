import type { Micros } from '../shared/money';
import type { Count, Timestamp, UtcDay } from '../shared/scalars';

/** Values of `group_by` (API: GET /usage). */
export const USAGE_GROUPINGS = ['day', 'model'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

/** The sums over a group of jobs. */
export interface UsageCounters {
  jobs: Count;
  succeeded: Count;
  failed: Count;
  canceled: Count;
  in_flight: Count;
  /** In micro-USD: includes reservations of jobs in flight, without refunds. */
  charged_micros: Micros;
  charged_usd: number;
  gpu_ms: Count;
}

/** One UTC day, or one model. */
export type UsageGroup = ({ day: UtcDay } | { model: string }) & UsageCounters;

/** The sums over the jobs of a period. */
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
  /** Whether the requested period exceeds what one answer covers; `from` then gives the actual start. */
  truncated: boolean;
}

/** A stored usage sum that differs from the jobs. */
export interface UsageViolation {
  rule: string;
  account_id: string;
  detail: string;
}
