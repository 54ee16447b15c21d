/** Lets so many pieces of work run at once; the others wait in line. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The turn is handed over rather than given back, so that nobody slips in between.
      if (next) next();
      else this.free += 1;
    }
  }
}
