/** A bounded set: when it is full, the name that was added the longest time ago is dropped. */
export class RecentSet {
  private readonly names = new Set<string>();

  constructor(private readonly capacity: number) {}

  add(name: string): void {
    this.names.delete(name);
    this.names.add(name);
    const [oldest] = this.names;
    if (this.names.size > this.capacity && oldest !== undefined) this.names.delete(oldest);
  }

  delete(name: string): void {
    this.names.delete(name);
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.names.values();
  }
}
