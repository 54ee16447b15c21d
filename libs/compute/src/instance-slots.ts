import type { InstanceCapacity } from './compute-provider.port';

/** How many tasks an instance may have under way, over all processes. */
export interface InstanceSlots {
  /** For the jobs of any account. */
  common: number;
  /** Beyond those, each for an account that has nothing under way there. */
  newcomers: number;
}

/** While the server has not said how many tasks it works on, it is taken to work on one. */
const UNKNOWN_CAPACITY: InstanceCapacity = { concurrency: 1, interleaves: false };

/**
 * An instance is given what it works on at once, and one task more, so that it is busy while an end is noticed. More would only
 * wait there, first come, first served, where no fair queue reaches it.
 * @param bound what the operator allows.
 * @param told what the server has said; null where servers of this type say nothing, undefined where it has not answered yet.
 */
export function slotsOf(bound: number, capacity: InstanceCapacity | null | undefined): InstanceSlots {
  if (capacity === null) return { common: bound, newcomers: 0 };
  const { concurrency, interleaves } = capacity ?? UNKNOWN_CAPACITY;
  const common = Math.min(bound, concurrency + 1);
  return { common, newcomers: interleaves ? Math.min(concurrency, bound - common) : 0 };
}

/** Of an instance that takes more, a few too many are no harm, and counting them for each claim would cost more than they. */
const FEW = 100;

/** Whether what an instance takes at once is held to exactly, over all processes. */
export function hasFewSlots({ common }: InstanceSlots): boolean {
  return common <= FEW;
}
