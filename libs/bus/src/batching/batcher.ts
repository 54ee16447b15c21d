import { FairQueue } from './fair-queue';

export interface BatcherOptions<Item> {
  maxItems: number;
  /** While so many batches are under way, what comes meanwhile gathers for the next one. */
  maxConcurrent: number;
  /** What a batch may weigh together; an item that weighs more goes alone. */
  maxBytes?: number;
  bytesOf?: (item: Item) => number;
  /** Between whom the batches are shared fairly. */
  keyOf: (item: Item) => string;
  /** Works on a batch, and keeps its failures to itself. */
  work: (items: Item[]) => Promise<void>;
}

/**
 * Makes batches of what comes together: all that arrives in one turn of the event loop, and, while enough batches are under
 * way, all that arrives until one of them is done. What comes alone leaves in the same turn, so nobody waits for company.
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
