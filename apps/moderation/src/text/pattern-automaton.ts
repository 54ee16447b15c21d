/** Looks for thousands of patterns in one pass, in time that depends on the text alone (Aho and Corasick's automaton). */
export class PatternAutomaton {
  private static readonly ROOT = 0;
  private readonly symbolIds = new Map<number, number>();
  /** By state: the first of its children, its next sibling, the symbol that leads to it. */
  private readonly firstChild: number[] = [-1];
  private readonly nextSibling: number[] = [-1];
  private readonly symbolInto: number[] = [-1];
  /** By state: where to go on when no child fits. */
  private readonly fallback: number[] = [0];
  /** By state: the patterns that end there, and the nearest fallback at which others end. */
  private readonly ends: (number[] | undefined)[] = [undefined];
  private readonly nextEnd: number[] = [-1];
  /** The root has a child for nearly every symbol, so it alone has a table. */
  private rootChildren = new Int32Array();

  constructor(patterns: readonly (readonly number[])[]) {
    patterns.forEach((pattern, index) => this.insert(pattern, index));
    this.link();
  }

  /** Calls back for each place at which a pattern ends, with the index of its last symbol. */
  scan(symbols: readonly number[], onMatch: (pattern: number, lastIndex: number) => void): void {
    let state = PatternAutomaton.ROOT;
    for (let index = 0; index < symbols.length; index++) {
      const symbol = this.symbolIds.get(symbols[index] ?? -1);
      state = symbol === undefined ? PatternAutomaton.ROOT : this.step(state, symbol);
      for (let end = this.endAt(state); end !== -1; end = this.nextEnd[end] ?? -1) {
        for (const pattern of this.ends[end] ?? []) onMatch(pattern, index);
      }
    }
  }

  private insert(pattern: readonly number[], index: number): void {
    let state = PatternAutomaton.ROOT;
    for (const code of pattern) {
      const symbol = this.symbolIds.get(code) ?? this.symbolIds.size;
      this.symbolIds.set(code, symbol);
      const child = this.childOf(state, symbol);
      state = child === -1 ? this.addChild(state, symbol) : child;
    }
    (this.ends[state] ??= []).push(index);
  }

  private addChild(state: number, symbol: number): number {
    const child = this.firstChild.length;
    this.firstChild.push(-1);
    this.nextSibling.push(this.firstChild[state] ?? -1);
    this.symbolInto.push(symbol);
    this.fallback.push(PatternAutomaton.ROOT);
    this.ends.push(undefined);
    this.nextEnd.push(-1);
    this.firstChild[state] = child;
    return child;
  }

  /** Level by level, because a state's fallback lies nearer to the root than the state. */
  private link(): void {
    this.rootChildren = new Int32Array(this.symbolIds.size).fill(PatternAutomaton.ROOT);
    const queue: number[] = [];
    for (const child of this.childrenOf(PatternAutomaton.ROOT)) {
      this.rootChildren[this.symbolInto[child] ?? 0] = child;
      queue.push(child);
    }
    for (const state of queue) {
      for (const child of this.childrenOf(state)) {
        const fallback = this.step(this.fallback[state] ?? 0, this.symbolInto[child] ?? 0);
        this.fallback[child] = fallback;
        this.nextEnd[child] = this.endAt(fallback);
        queue.push(child);
      }
    }
  }

  private step(from: number, symbol: number): number {
    let state = from;
    while (state !== PatternAutomaton.ROOT) {
      const child = this.childOf(state, symbol);
      if (child !== -1) return child;
      state = this.fallback[state] ?? PatternAutomaton.ROOT;
    }
    return this.rootChildren[symbol] ?? PatternAutomaton.ROOT;
  }

  /** The state itself when a pattern ends there, otherwise the nearest fallback at which one does, or -1. */
  private endAt(state: number): number {
    return this.ends[state] === undefined ? (this.nextEnd[state] ?? -1) : state;
  }

  private childOf(state: number, symbol: number): number {
    let child = this.firstChild[state] ?? -1;
    while (child !== -1 && this.symbolInto[child] !== symbol) child = this.nextSibling[child] ?? -1;
    return child;
  }

  private childrenOf(state: number): number[] {
    const children: number[] = [];
    for (let child = this.firstChild[state] ?? -1; child !== -1; child = this.nextSibling[child] ?? -1) {
      children.push(child);
    }
    return children;
  }
}
