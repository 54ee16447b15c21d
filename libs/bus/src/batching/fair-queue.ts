/** One queue for each key, served round-robin: a key with a thousand items delays only its own items. */
export class FairQueue<Item> {
  private readonly queues = new Map<string, Item[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  push(key: string, item: Item): void {
    const queue = this.queues.get(key);
    if (queue) queue.push(item);
    else this.queues.set(key, [item]);
    this.count += 1;
  }

  /** The next item, without removing it. */
  peek(): Item | undefined {
    const [queue] = this.queues.values();
    return queue?.[0];
  }

  shift(): Item | undefined {
    const [entry] = this.queues;
    if (!entry) return undefined;
    const [key, queue] = entry;
    const item = queue.shift();
    // A map keeps insertion order, so deleting and re-inserting a key moves its queue behind all others.
    this.queues.delete(key);
    if (queue.length > 0) this.queues.set(key, queue);
    this.count -= 1;
    return item;
  }
}
