/** One kind of abuse, with its number of concurrent senders and the shortest interval between two requests of one sender. */
export interface Abuse {
  name: string;
  clients: number;
  everyMs: number;
  /** @returns the status of the response. */
  send: () => Promise<string>;
}

/** How often each abuse got which response. */
export type AbuseCounts = Record<string, Record<string, number>>;

/** The last message of the sending program. */
export interface AbuseReport {
  counts: AbuseCounts;
  /** Processor time of the sender. */
  cpuMs: number;
}
