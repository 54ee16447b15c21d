import type { InstanceCapacity } from './compute-provider.port';

/** How many tasks an instance may have open, over all processes. */
export interface InstanceSlots {
  common: number;
  /** Additional slots, each for an account without an open task there. */
  newcomers: number;
}

/** Until the server reports its capacity, a concurrency of one is assumed. */
const UNKNOWN_CAPACITY: InstanceCapacity = { concurrency: 1, interleaves: false };

/**
 * An instance gets its concurrency plus one task, so that it stays busy until jobs notices an end. Further tasks would wait
 * there in arrival order, outside the fair queue of jobs.
 * @param bound the limit of the operator.
 * @param capacity the server's report; null where servers of this type report none, undefined where it has not answered yet.
 */
export function slotsOf(bound: number, capacity: InstanceCapacity | null | undefined): InstanceSlots {
  if (capacity === null) return { common: bound, newcomers: 0 };
  const { concurrency, interleaves } = capacity ?? UNKNOWN_CAPACITY;
  const common = Math.min(bound, concurrency + 1);
  return { common, newcomers: interleaves ? Math.min(concurrency, bound - common) : 0 };
}

/** Above this number a few tasks too many do no harm, and an exact count on each claim would cost more. */
const FEW = 100;

/** Whether the limit is enforced exactly over all processes. */
export function hasFewSlots({ common }: InstanceSlots): boolean {
  return common <= FEW;
}
