const ROOT = 0;
const NONE = -1;
/** A table that is more than half empty has hardly any two keys in one slot. */
const SLOTS_PER_STATE = 2;
/** An odd number near to the golden share of 2^32 scatters neighbouring keys. */
const SCATTER = 0x9e3779b1;
/** The code points of nearly all text; a table of all others would be large for nothing. */
const TABLED_SYMBOLS = 0x10000;

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

  childrenOf(state: number): number[] {
    const children: number[] = [];
    for (let child = this.firstChild[state] ?? NONE; child !== NONE; child = this.nextSibling[child] ?? NONE) {
      children.push(child);
    }
    return children;
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

/** Which state follows another by a symbol: open addressing, because a plain table of both would be mostly empty. */
class ChildTable {
  /** A state and a symbol each; of many long terms both together are more than an integer of 32 bits holds. */
  private readonly keys: Float64Array;
  private readonly children: Int32Array;
  private readonly mask: number;
  private readonly symbols: number;
  /** By state, a bit for the symbols of each child: most states have one child, and no slot is looked up for most others. */
  private readonly childBits: Int32Array;

  constructor(trie: Trie) {
    const states = trie.firstChild.length;
    const size = 2 ** Math.ceil(Math.log2(SLOTS_PER_STATE * states));
    this.mask = size - 1;
    this.keys = new Float64Array(size).fill(NONE);
    this.children = new Int32Array(size).fill(NONE);
    this.symbols = trie.symbolIds.size;
    this.childBits = new Int32Array(states);
    for (let state = ROOT; state < states; state++) {
      for (const child of trie.childrenOf(state)) this.add(state, trie.symbolInto[child] ?? 0, child);
    }
  }

  /** NONE if there is none. */
  find(state: number, symbol: number): number {
    if (((this.childBits[state] ?? 0) & (1 << symbol)) === 0) return NONE;
    const key = state * this.symbols + symbol;
    let slot = this.slotOf(key);
    while (this.keys[slot] !== key) {
      if (this.keys[slot] === NONE) return NONE;
      slot = (slot + 1) & this.mask;
    }
    return this.children[slot] ?? NONE;
  }

  private add(state: number, symbol: number, child: number): void {
    const key = state * this.symbols + symbol;
    this.childBits[state] = (this.childBits[state] ?? 0) | (1 << symbol);
    let slot = this.slotOf(key);
    while (this.keys[slot] !== NONE) slot = (slot + 1) & this.mask;
    this.keys[slot] = key;
    this.children[slot] = child;
  }

  private slotOf(key: number): number {
    return (Math.imul(key, SCATTER) >>> 8) & this.mask;
  }
}

/** The number of each symbol that a pattern has: looked up at every character of every reading. */
class SymbolIds {
  private readonly tabled = new Int32Array(TABLED_SYMBOLS).fill(NONE);

  constructor(private readonly ids: ReadonlyMap<number, number>) {
    for (const [symbol, id] of ids) if (symbol < TABLED_SYMBOLS) this.tabled[symbol] = id;
  }

  get size(): number {
    return this.ids.size;
  }

  /** NONE for a symbol of no pattern. */
  of(symbol: number): number {
    return symbol < TABLED_SYMBOLS ? (this.tabled[symbol] ?? NONE) : (this.ids.get(symbol) ?? NONE);
  }
}

/** Looks for thousands of patterns in one pass, in time that depends on the text alone (Aho and Corasick's automaton). */
export class PatternAutomaton {
  private readonly symbolIds: SymbolIds;
  private readonly children: ChildTable;
  /** The root has a child for nearly every symbol, and most steps end there. */
  private readonly rootChildren: Int32Array;
  /** By state: where to go on when no child fits. */
  private readonly fallback: Int32Array;
  /** By state: the nearest state at which patterns end, itself or a fallback; and for such a state the one after it. */
  private readonly firstEnd: Int32Array;
  private readonly nextEnd: Int32Array;
  private readonly ends: ReadonlyMap<number, readonly number[]>;

  constructor(patterns: readonly (readonly number[])[]) {
    const trie = new Trie();
    patterns.forEach((pattern, index) => trie.insert(pattern, index));
    this.symbolIds = new SymbolIds(trie.symbolIds);
    this.children = new ChildTable(trie);
    this.rootChildren = new Int32Array(this.symbolIds.size);
    this.ends = trie.ends;
    const states = trie.firstChild.length;
    this.fallback = new Int32Array(states);
    this.firstEnd = new Int32Array(states).fill(NONE);
    this.nextEnd = new Int32Array(states).fill(NONE);
    this.link(trie);
  }

  /** Calls back for each place at which a pattern ends, with the index of its last symbol. */
  scan(symbols: ArrayLike<number>, length: number, onMatch: (pattern: number, lastIndex: number) => void): void {
    let state = ROOT;
    for (let index = 0; index < length; index++) {
      const symbol = this.symbolIds.of(symbols[index] ?? 0);
      state = symbol === NONE ? ROOT : this.step(state, symbol);
      for (let end = this.firstEnd[state] ?? NONE; end !== NONE; end = this.nextEnd[end] ?? NONE) {
        for (const pattern of this.ends.get(end) ?? []) onMatch(pattern, index);
      }
    }
  }

  /** Level by level, because a state's fallback lies nearer to the root than the state. */
  private link(trie: Trie): void {
    const queue = trie.childrenOf(ROOT);
    for (const child of queue) this.rootChildren[trie.symbolInto[child] ?? 0] = child;
    for (const state of queue) {
      this.firstEnd[state] = this.ends.has(state) ? state : (this.firstEnd[this.fallback[state] ?? ROOT] ?? NONE);
      this.nextEnd[state] = this.firstEnd[this.fallback[state] ?? ROOT] ?? NONE;
      for (const child of trie.childrenOf(state)) {
        this.fallback[child] = this.step(this.fallback[state] ?? ROOT, trie.symbolInto[child] ?? 0);
        queue.push(child);
      }
    }
  }

  private step(from: number, symbol: number): number {
    for (let state = from; state !== ROOT; state = this.fallback[state] ?? ROOT) {
      const child = this.children.find(state, symbol);
      if (child !== NONE) return child;
    }
    return this.rootChildren[symbol] ?? ROOT;
  }
}
