interface FileCounters {
  s: Record<string, number>;
  b: Record<string, number[]>;
}

/** How often a statement, or a branch, was reached. */
interface Counter {
  counts: Record<string, number>;
  place: string;
}

/** The code that no input has reached yet, by the counters that `jest --coverage` adds; without them every input is as good. */
export class ReachedCode {
  private unreached: Counter[];

  constructor() {
    const files = (globalThis as { __coverage__?: Record<string, FileCounters> }).__coverage__ ?? {};
    const counts = Object.values(files).flatMap(({ s, b }) => [s, ...Object.values(b)]) as Counter['counts'][];
    const counters = counts.flatMap((each) => Object.keys(each).map((place) => ({ counts: each, place })));
    this.unreached = counters.filter(isUnreached);
  }

  /** Whether anything was reached for the first time since the last call. */
  hasGrown(): boolean {
    if (this.unreached.every(isUnreached)) return false;
    this.unreached = this.unreached.filter(isUnreached);
    return true;
  }
}

function isUnreached({ counts, place }: Counter): boolean {
  return counts[place] === 0;
}
