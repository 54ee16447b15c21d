const ROOT = 0;
const NONE = -1;
/** Covers the code points of nearly all text; a table for all others would waste memory. */
const TABLED_SYMBOLS = 0x10000;

/** The states of the automaton before the fallback links are computed. */
class Trie {
  readonly symbolIds = new Map<number, number>();
  readonly symbolInto: Int32Array;
  /** By state, the pattern that ends there; by pattern, another one that ends at the same state. */
  readonly patternAt: Int32Array;
  readonly nextPattern: Int32Array;
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
  size = 1;

  constructor(patterns: readonly (readonly number[])[]) {
    const mostStates = patterns.reduce((states, { length }) => states + length, 1);
    const ofStates = (): Int32Array => new Int32Array(mostStates).fill(NONE);
    this.symbolInto = ofStates();
    this.patternAt = ofStates();
    this.firstChild = ofStates();
    this.nextSibling = ofStates();
    this.nextPattern = new Int32Array(patterns.length).fill(NONE);
    // In reverse order, so that the patterns of one state are in order.
    for (let index = patterns.length - 1; index >= 0; index--) this.insert(patterns[index] ?? [], index);
  }

  private insert(pattern: readonly number[], index: number): void {
    let state = ROOT;
    for (const code of pattern) {
      const symbol = this.idOf(code);
      const child = this.childOf(state, symbol);
      state = child === NONE ? this.addChild(state, symbol) : child;
    }
    this.nextPattern[index] = this.patternAt[state] ?? NONE;
    this.patternAt[state] = index;
  }

  private idOf(code: number): number {
    const known = this.symbolIds.get(code);
    if (known !== undefined) return known;
    this.symbolIds.set(code, this.symbolIds.size);
    return this.symbolIds.size - 1;
  }

  private childOf(state: number, symbol: number): number {
    let child = this.firstChild[state] ?? NONE;
    while (child !== NONE && this.symbolInto[child] !== symbol) child = this.nextSibling[child] ?? NONE;
    return child;
  }

  private addChild(state: number, symbol: number): number {
    const child = this.size++;
    this.nextSibling[child] = this.firstChild[state] ?? NONE;
    this.symbolInto[child] = symbol;
    this.firstChild[state] = child;
    return child;
  }
}

/** A number for each symbol that occurs in a pattern: looked up at every character of every reading. */
class SymbolIds {
  private readonly tabled = new Int32Array(TABLED_SYMBOLS).fill(NONE);

  constructor(private readonly ids: ReadonlyMap<number, number>) {
    for (const [symbol, id] of ids) if (symbol < TABLED_SYMBOLS) this.tabled[symbol] = id;
  }

  get size(): number {
    return this.ids.size;
  }

  /** NONE for a symbol that occurs in no pattern. */
  of(symbol: number): number {
    return symbol < TABLED_SYMBOLS ? (this.tabled[symbol] ?? NONE) : (this.ids.get(symbol) ?? NONE);
  }
}

/**
 * Searches thousands of patterns in one pass, in time that depends on the text alone (Aho-Corasick automaton). States are
 * numbered level by level, so the children of a state are consecutive, and a few arrays hold the automaton.
 */
export class PatternAutomaton {
  private readonly symbolIds: SymbolIds;
  /** The root has a child for nearly every symbol, and most steps end there. */
  private readonly rootChildren: Int32Array;
  /** By state: its first child. The children of the next state follow. */
  private readonly firstChild: Int32Array;
  /**
   * By state: a bit mask of the symbols of its children (a small Bloom filter). Most states have one child, which most symbols
   * do not match.
   */
  private readonly childBits: Int32Array;
  private readonly symbolInto: Int32Array;
  /** By state: the fallback state when no child matches. */
  private readonly fallback: Int32Array;
  /** By state: the nearest state at which patterns end, itself or a fallback; for such a state, the one after it. */
  private readonly firstEnd: Int32Array;
  private readonly nextEnd: Int32Array;
  /** By state, a pattern that ends there; by pattern, the next one that ends at the same state. */
  private readonly firstPattern: Int32Array;
  private readonly nextPattern: Int32Array;

  constructor(patterns: readonly (readonly number[])[]) {
    const trie = new Trie(patterns);
    this.symbolIds = new SymbolIds(trie.symbolIds);
    this.rootChildren = new Int32Array(this.symbolIds.size);
    this.firstChild = new Int32Array(trie.size + 1);
    this.childBits = new Int32Array(trie.size);
    this.symbolInto = new Int32Array(trie.size);
    this.fallback = new Int32Array(trie.size);
    this.firstEnd = new Int32Array(trie.size).fill(NONE);
    this.nextEnd = new Int32Array(trie.size).fill(NONE);
    this.firstPattern = new Int32Array(trie.size);
    this.nextPattern = trie.nextPattern;
    this.number(trie);
    this.link();
  }

  /** Calls `onMatch` for each position at which a pattern ends, with the index of its last symbol. */
  scan(symbols: ArrayLike<number>, length: number, onMatch: (pattern: number, lastIndex: number) => void): void {
    let state = ROOT;
    for (let index = 0; index < length; index++) {
      const symbol = this.symbolIds.of(symbols[index] ?? 0);
      state = symbol === NONE ? ROOT : this.step(state, symbol);
      for (let end = this.firstEnd[state] ?? NONE; end !== NONE; end = this.nextEnd[end] ?? NONE) {
        let pattern = this.firstPattern[end] ?? NONE;
        for (; pattern !== NONE; pattern = this.nextPattern[pattern] ?? NONE) onMatch(pattern, index);
      }
    }
  }

  private number(trie: Trie): void {
    const inTrie = new Int32Array(trie.size);
    let numbered = 1;
    for (let state = ROOT; state < trie.size; state++) {
      const from = inTrie[state] ?? ROOT;
      this.firstPattern[state] = trie.patternAt[from] ?? NONE;
      this.firstChild[state] = numbered;
      for (let child = trie.firstChild[from] ?? NONE; child !== NONE; child = trie.nextSibling[child] ?? NONE) {
        const symbol = trie.symbolInto[child] ?? 0;
        this.symbolInto[numbered] = symbol;
        this.childBits[state] = (this.childBits[state] ?? 0) | (1 << symbol);
        if (state === ROOT) this.rootChildren[symbol] = numbered;
        inTrie[numbered++] = child;
      }
    }
    this.firstChild[trie.size] = numbered;
  }

  /** In the order of the numbers, because the fallback of a state has a lower level than the state. */
  private link(): void {
    for (let state = ROOT; state < this.fallback.length; state++) {
      const after = this.firstEnd[this.fallback[state] ?? ROOT] ?? NONE;
      this.firstEnd[state] = this.firstPattern[state] === NONE ? after : state;
      this.nextEnd[state] = after;
      const end = this.firstChild[state + 1] ?? 0;
      for (let child = this.firstChild[state] ?? 0; state !== ROOT && child < end; child++) {
        this.fallback[child] = this.step(this.fallback[state] ?? ROOT, this.symbolInto[child] ?? 0);
      }
    }
  }

  private step(from: number, symbol: number): number {
    for (let state = from; state !== ROOT; state = this.fallback[state] ?? ROOT) {
      const child = this.childOf(state, symbol);
      if (child !== NONE) return child;
    }
    return this.rootChildren[symbol] ?? ROOT;
  }

  private childOf(state: number, symbol: number): number {
    if (((this.childBits[state] ?? 0) & (1 << symbol)) === 0) return NONE;
    const end = this.firstChild[state + 1] ?? 0;
    for (let child = this.firstChild[state] ?? 0; child < end; child++) {
      if (this.symbolInto[child] === symbol) return child;
    }
    return NONE;
  }
}
