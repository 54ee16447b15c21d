/** Below two batches, all but one service of a pipeline are idle. */
const MIN_BATCHES = 2;
/** Larger batches save little, while more batches keep more processors busy. */
const ENOUGH_ITEMS = 16;
/** A batch smaller than this part of a fair share waits for more items. Otherwise a few items could circulate in tiny batches. */
const LEAST_SHARE = 0.5;

export interface BatchLoad {
  /** Items that no batch has taken. */
  waiting: number;
  underWay: number;
  batches: number;
  maxItems: number;
  maxBatches: number;
}

/**
 * How many of the waiting items the next batch takes; 0 if they have to wait. All items, waiting and under way, are shared
 * evenly by a number of batches that grows with them: two up to 32 items, then one for each 16 items, up to `maxBatches`.
 */
export function nextBatchSize({ waiting, underWay, batches, maxItems, maxBatches }: BatchLoad): number {
  const items = waiting + underWay;
  const wanted = Math.min(maxBatches, Math.max(MIN_BATCHES, Math.ceil(items / ENOUGH_ITEMS)));
  if (batches >= wanted) return 0;
  if (batches > 0 && waiting < (items / wanted) * LEAST_SHARE) return 0;
  return Math.min(maxItems, Math.ceil(waiting / (wanted - batches)));
}
