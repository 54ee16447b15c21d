/** How long an input may keep a processor, in its time. */
const STALLED_MS = 1_000;
/** What the process may grow by during the run of one parser. */
const MAX_GROWTH_KB = 400_000;

/** Something that reads bytes of strangers. */
export interface Parser {
  /** What it reads without a refusal; mutations begin with these. */
  samples: () => Promise<Buffer[]> | Buffer[];
  parse: (bytes: Buffer) => unknown;
  /** The very classes of what it throws for bytes that it refuses; anything else is a crash. */
  refusals?: readonly (new (...parameters: never[]) => Error)[];
  /** Removes what it has opened. */
  end?: () => void | Promise<void>;
}

export const text = (...samples: string[]): Buffer[] => samples.map((sample) => Buffer.from(sample));

/** Runs a parser within its limits. */
export class Trial {
  executions = 0;
  slowestMs = 0;
  private readonly initialKb = process.resourceUsage().maxRSS;

  constructor(private readonly parser: Parser) {}

  /** @throws Error for a crash, a stall, or a process that grows */
  async run(bytes: Buffer): Promise<void> {
    const { parse, refusals = [] } = this.parser;
    const before = process.cpuUsage();
    try {
      await parse(bytes);
    } catch (error) {
      if (!refusals.some((refusal) => (error as Error).constructor === refusal)) throw error;
    }
    const { user, system } = process.cpuUsage(before);
    const tookMs = (user + system) / 1_000;
    this.executions += 1;
    this.slowestMs = Math.max(this.slowestMs, tookMs);
    if (tookMs > STALLED_MS) throw new Error(`An input took ${tookMs} ms of a processor.`);
    if (this.growthKb > MAX_GROWTH_KB) throw new Error(`The process has grown by ${this.growthKb} kB.`);
  }

  /** By the most that the process has ever had. */
  get growthKb(): number {
    return process.resourceUsage().maxRSS - this.initialKb;
  }
}
