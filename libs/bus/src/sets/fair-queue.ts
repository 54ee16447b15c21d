/** A line for each key, served in turns: whoever sends a thousand at once waits behind none but himself. */
export class FairQueue<Item> {
  private readonly lines = new Map<string, Item[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  push(key: string, item: Item): void {
    const line = this.lines.get(key);
    if (line) line.push(item);
    else this.lines.set(key, [item]);
    this.count += 1;
  }

  /** The item whose turn it is, without taking it. */
  peek(): Item | undefined {
    const [line] = this.lines.values();
    return line?.[0];
  }

  shift(): Item | undefined {
    const [entry] = this.lines;
    if (!entry) return undefined;
    const [key, line] = entry;
    const item = line.shift();
    // A map keeps the order of insertion: whose line is put back stands behind all others.
    this.lines.delete(key);
    if (line.length > 0) this.lines.set(key, line);
    this.count -= 1;
    return item;
  }
}
