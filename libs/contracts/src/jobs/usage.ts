import type { Micros } from '../shared/money';

/** Interface, GET /usage: `group_by`. */
export const USAGE_GROUPINGS = ['day', 'model'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

export interface UsageCounters {
  jobs: number;
  succeeded: number;
  failed: number;
  canceled: number;
  in_flight: number;
  /** As the jobs tell it themselves: what is held for those in flight counts, what was given back does not. */
  charged_micros: Micros;
  charged_usd: number;
  gpu_ms: number;
}

/** One UTC day, or one model. */
export type UsageGroup = ({ day: string } | { model: string }) & UsageCounters;

/** The specification's Usage resource. */
export interface Usage {
  object: 'usage';
  from: string;
  to: string;
  group_by: UsageGrouping;
  /** The sum of the groups. */
  total: UsageCounters;
  data: UsageGroup[];
  /** Whether more was asked for than one answer covers; `from` then says where it begins. */
  truncated: boolean;
}
