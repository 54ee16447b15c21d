import { FairQueue } from './fair-queue';
import { nextBatchSize } from './next-batch-size';

export interface BatcherOptions<Item> {
  maxItems: number;
  /** While this number of batches is under way, new items wait for the next batch. */
  maxConcurrent: number;
  /** Adapts the number of batches under way to the number of items (`nextBatchSize`), up to `maxConcurrent`. */
  isPipelined?: boolean;
  /** Largest total size of a batch; a larger item forms a batch by itself. */
  maxBytes?: number;
  bytesOf?: (item: Item) => number;
  /** Key of the fair queue: batches are filled in turns from the items of each key. */
  keyOf: (item: Item) => string;
  /** Processes a batch. It must not reject. */
  work: (items: Item[]) => Promise<void>;
}

/**
 * Micro-batching: items that arrive in one turn of the event loop form one batch. While the maximum of batches is under way,
 * items collect until one of them ends. A single item leaves in the same turn, so batching never delays it.
 */
export class Batcher<Item> {
  private readonly waiting = new FairQueue<Item>();
  private running = 0;
  private itemsUnderWay = 0;
  private isFlushDue = false;

  constructor(private readonly options: BatcherOptions<Item>) {}

  add(item: Item): void {
    this.waiting.push(this.options.keyOf(item), item);
    this.flushAtEndOfTick();
  }

  private flushAtEndOfTick(): void {
    if (this.isFlushDue || this.nextSize() === 0) return;
    this.isFlushDue = true;
    setImmediate(() => {
      this.isFlushDue = false;
      for (let size = this.nextSize(); size > 0; size = this.nextSize()) this.begin(this.takeBatch(size));
    });
  }

  private begin(items: Item[]): void {
    this.running += 1;
    this.itemsUnderWay += items.length;
    void this.options.work(items).finally(() => {
      this.running -= 1;
      this.itemsUnderWay -= items.length;
      this.flushAtEndOfTick();
    });
  }

  /** 0 while items have to wait. */
  private nextSize(): number {
    const { maxItems, maxConcurrent, isPipelined = false } = this.options;
    const [waiting, batches] = [this.waiting.size, this.running];
    if (isPipelined)
      return nextBatchSize({ waiting, batches, underWay: this.itemsUnderWay, maxItems, maxBatches: maxConcurrent });
    return batches < maxConcurrent ? Math.min(waiting, maxItems) : 0;
  }

  private takeBatch(maxItems: number): Item[] {
    const { maxBytes = Infinity, bytesOf = () => 0 } = this.options;
    const items: Item[] = [];
    let bytes = 0;
    for (let next = this.waiting.peek(); next !== undefined && items.length < maxItems; next = this.waiting.peek()) {
      bytes += bytesOf(next);
      if (items.length > 0 && bytes > maxBytes) break;
      items.push(next);
      this.waiting.shift();
    }
    return items;
  }
}
