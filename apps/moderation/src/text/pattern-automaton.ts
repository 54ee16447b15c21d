const ROOT = 0;
const NONE = -1;

/** The states of the automaton before they know where to go on when no child fits. */
class Trie {
  readonly symbolIds = new Map<number, number>();
  readonly firstChild = [NONE];
  readonly nextSibling = [NONE];
  readonly symbolInto = [NONE];
  readonly ends = new Map<number, number[]>();

  insert(pattern: readonly number[], index: number): void {
    let state = ROOT;
    for (const code of pattern) {
      const symbol = this.symbolIds.get(code) ?? this.symbolIds.size;
      this.symbolIds.set(code, symbol);
      state = this.childOf(state, symbol) ?? this.addChild(state, symbol);
    }
    const ends = this.ends.get(state);
    if (ends) ends.push(index);
    else this.ends.set(state, [index]);
  }

  private childOf(state: number, symbol: number): number | undefined {
    let child = this.firstChild[state] ?? NONE;
    while (child !== NONE && this.symbolInto[child] !== symbol) child = this.nextSibling[child] ?? NONE;
    return child === NONE ? undefined : child;
  }

  private addChild(state: number, symbol: number): number {
    const child = this.firstChild.length;
    this.firstChild.push(NONE);
    this.nextSibling.push(this.firstChild[state] ?? NONE);
    this.symbolInto.push(symbol);
    this.firstChild[state] = child;
    return child;
  }
}

/** Looks for thousands of patterns in one pass, in time that depends on the text alone (Aho and Corasick's automaton). */
export class PatternAutomaton {
  private readonly symbolIds: ReadonlyMap<number, number>;
  /** By state, packed: the first of its children, its next sibling, the symbol that leads to it. */
  private readonly firstChild: Int32Array;
  private readonly nextSibling: Int32Array;
  private readonly symbolInto: Int32Array;
  /** By state: where to go on when no child fits. */
  private readonly fallback: Int32Array;
  /** By state: the nearest state at which patterns end, itself or a fallback; and for such a state the one after it. */
  private readonly firstEnd: Int32Array;
  private readonly nextEnd: Int32Array;
  private readonly ends: ReadonlyMap<number, readonly number[]>;
  /** The root has a child for nearly every symbol, so it alone has a table. */
  private readonly rootChildren: Int32Array;

  constructor(patterns: readonly (readonly number[])[]) {
    const trie = new Trie();
    patterns.forEach((pattern, index) => trie.insert(pattern, index));
    this.symbolIds = trie.symbolIds;
    this.firstChild = Int32Array.from(trie.firstChild);
    this.nextSibling = Int32Array.from(trie.nextSibling);
    this.symbolInto = Int32Array.from(trie.symbolInto);
    this.ends = trie.ends;
    const states = this.firstChild.length;
    this.fallback = new Int32Array(states);
    this.firstEnd = new Int32Array(states).fill(NONE);
    this.nextEnd = new Int32Array(states).fill(NONE);
    this.rootChildren = new Int32Array(this.symbolIds.size);
    this.link();
  }

  /** Calls back for each place at which a pattern ends, with the index of its last symbol. */
  scan(symbols: readonly number[], onMatch: (pattern: number, lastIndex: number) => void): void {
    let state = ROOT;
    for (let index = 0; index < symbols.length; index++) {
      const symbol = this.symbolIds.get(symbols[index] ?? NONE);
      state = symbol === undefined ? ROOT : this.step(state, symbol);
      for (let end = this.firstEnd[state] ?? NONE; end !== NONE; end = this.nextEnd[end] ?? NONE) {
        for (const pattern of this.ends.get(end) ?? []) onMatch(pattern, index);
      }
    }
  }

  /** Level by level, because a state's fallback lies nearer to the root than the state. */
  private link(): void {
    const queue = this.childrenOf(ROOT);
    for (const child of queue) this.rootChildren[this.symbolInto[child] ?? 0] = child;
    for (const state of queue) {
      this.firstEnd[state] = this.ends.has(state) ? state : (this.firstEnd[this.fallback[state] ?? ROOT] ?? NONE);
      this.nextEnd[state] = this.firstEnd[this.fallback[state] ?? ROOT] ?? NONE;
      for (const child of this.childrenOf(state)) {
        this.fallback[child] = this.step(this.fallback[state] ?? ROOT, this.symbolInto[child] ?? 0);
        queue.push(child);
      }
    }
  }

  private step(from: number, symbol: number): number {
    let state = from;
    while (state !== ROOT) {
      let child = this.firstChild[state] ?? NONE;
      while (child !== NONE && this.symbolInto[child] !== symbol) child = this.nextSibling[child] ?? NONE;
      if (child !== NONE) return child;
      state = this.fallback[state] ?? ROOT;
    }
    return this.rootChildren[symbol] ?? ROOT;
  }

  private childrenOf(state: number): number[] {
    const children: number[] = [];
    for (let child = this.firstChild[state] ?? NONE; child !== NONE; child = this.nextSibling[child] ?? NONE) {
      children.push(child);
    }
    return children;
  }
}
