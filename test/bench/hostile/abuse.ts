/** One way to misuse the service, sent on so many queues at once, on each at most once in so many milliseconds. */
export interface Abuse {
  name: string;
  clients: number;
  everyMs: number;
  /** @returns how it was answered. */
  send: () => Promise<string>;
}

/** How often each abuse was answered how. */
export type AbuseCounts = Record<string, Record<string, number>>;

/** What the program that sends them tells at its end. */
export interface AbuseReport {
  counts: AbuseCounts;
  /** Processor time that sending took. */
  cpuMs: number;
}
