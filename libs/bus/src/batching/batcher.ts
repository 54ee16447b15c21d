import { FairQueue } from './fair-queue';

export interface BatcherOptions<Item> {
  maxItems: number;
  /** While this number of batches is under way, new items wait for the next batch. */
  maxConcurrent: number;
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
  private isFlushDue = false;

  constructor(private readonly options: BatcherOptions<Item>) {}

  add(item: Item): void {
    this.waiting.push(this.options.keyOf(item), item);
    this.flushAtEndOfTick();
  }

  private flushAtEndOfTick(): void {
    if (this.isFlushDue || this.waiting.size === 0 || this.running >= this.options.maxConcurrent) return;
    this.isFlushDue = true;
    setImmediate(() => {
      this.isFlushDue = false;
      while (this.waiting.size > 0 && this.running < this.options.maxConcurrent) this.begin(this.takeBatch());
    });
  }

  private begin(items: Item[]): void {
    this.running += 1;
    void this.options.work(items).finally(() => {
      this.running -= 1;
      this.flushAtEndOfTick();
    });
  }

  private takeBatch(): Item[] {
    const { maxItems, maxBytes = Infinity, bytesOf = () => 0 } = this.options;
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
