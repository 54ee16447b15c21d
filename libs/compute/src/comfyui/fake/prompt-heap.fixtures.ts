import type { Graph } from '../graph';

/** A prompt as the queue and the history list it. */
export type QueueItem = [
  number: number,
  promptId: string,
  graph: Graph,
  extraData: Record<string, unknown>,
  outputs: string[],
];

/** The waiting prompts in a binary heap, as the server keeps them: the first is the next, and the others are unordered. */
export class PromptHeap {
  readonly items: QueueItem[] = [];

  push(item: QueueItem): void {
    let place = this.items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.numberAt(parent) <= item[0]) break;
      this.swap(place, parent);
      place = parent;
    }
  }

  pop(): QueueItem | undefined {
    const [first] = this.items;
    if (!first) return undefined;
    this.delete(first[1]);
    return first;
  }

  delete(promptId: string): void {
    const rest = this.items.filter(([, id]) => id !== promptId);
    this.items.length = 0;
    for (const item of rest) this.push(item);
  }

  private numberAt(place: number): number {
    return this.items[place]?.[0] ?? Infinity;
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.items[one], this.items[other]];
    if (a && b) [this.items[one], this.items[other]] = [b, a];
  }
}
