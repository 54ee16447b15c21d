import type { AccountStatus } from '@kinora/contracts/billing/account';
import { type JobStatus, isInFlight } from '@kinora/contracts/jobs/job';
import type { Fault } from './fault-plan';
import type { Card, Creation, OperationKind, Plan, ReceiverKind } from './swarm';

/** A job as an answer, a webhook or the feed has shown it. */
export interface SeenJob {
  id: string;
  status: JobStatus;
  /** `metadata.tag` of its creation. */
  tag: string;
  chargedMicros: number;
  createdAtMs: number;
  completedAtMs: number | null;
  /** The outputs, with or without a link. */
  outputs: number;
}

/** One request from outside. What is null was not answered, or not said; times are milliseconds of one clock. */
export interface Call {
  operation: number;
  kind: OperationKind;
  account: number;
  /** The operation whose job or payment it concerns. */
  of: number | null;
  creation: Creation | null;
  invokedAtMs: number;
  /** Null: the outcome is unknown. */
  answeredAtMs: number | null;
  status: number | null;
  code: string | null;
  /** The differences between the answer and the published reference. */
  differences: string[];
  jobs: SeenJob[];
  balanceMicros: number | null;
  /** The ids of the jobs in the event feed, in its order. */
  feed: string[];
  /** Of the operation: in its own unit. */
  amount: number;
  card: Card;
}

/** A fault as it has happened. */
export interface SeenFault extends Pick<Fault, 'group' | 'kind' | 'target'> {
  atMs: number;
  endedAtMs: number;
  /** How many connections, answers, files or processes it has changed. */
  effects: number;
}

/** A task that the backend has accepted. */
export interface BackendRun {
  task: string;
  tag: string;
  atMs: number;
}

/** A payment by a page of the provider. */
export interface RestingPayment {
  operation: number;
  account: number;
  card: Card;
  amountMicros: number;
  /** At the provider. */
  isPaid: boolean;
  /** What the customer sees. */
  state: 'open' | 'paid' | 'expired' | 'refused';
  refundedMicros: number;
  /** What the provider has sent back to the card. */
  returnedMicros: number;
  dispute: 'open' | 'won' | 'lost' | null;
}

/** A request that a receiver has got. */
export interface Delivery {
  receiver: ReceiverKind;
  account: number;
  atMs: number;
  eventId: string;
  job: SeenJob;
  type: string;
  isSigned: boolean;
}

/** The statement of a month. */
export interface RestingMonth {
  openingMicros: number;
  closingMicros: number;
  chargedMicros: number;
  /** The change of what jobs in flight hold. */
  reservedMicros: number;
}

/** What can be read once nothing moves any more. */
export interface RestingAccount {
  balanceMicros: number;
  /** From the one before the run to the current one. */
  months: RestingMonth[];
  owedMicros: number;
  status: AccountStatus;
  jobs: SeenJob[];
  feed: { eventId: string; jobId: string; status: JobStatus }[];
  /** When the service has written each webhook of a job, by its own clock. */
  deliveries: { jobId: string; writtenAtMs: number }[];
  receipts: {
    jobId: string;
    /** Null where the signature does not verify. */ outcome: string | null;
    chargedMicros: number;
  }[];
  /** Jobs whose links do not give as many bytes as they state, signed. */
  brokenFiles: string[];
  /** Keys of the files that its jobs show. */
  files: string[];
}

export interface History {
  plan: Plan;
  calls: Call[];
  deliveries: Delivery[];
  faults: SeenFault[];
  backendRuns: BackendRun[];
  rest: {
    accounts: RestingAccount[];
    payments: RestingPayment[];
    unsettled: string[];
    /** Keys of the files that the run has left in the store. */
    files: string[];
    tookMs: number;
  };
}

/** A statement about every history; a rule names each place where this one contradicts it. */
export type Rule = (history: History) => string[];

/** A client that has waited this long treats the outcome as unknown. */
export const PATIENCE_MS = 8_000;
export const DOLLAR_MICROS = 1_000_000;
export const TOP_UP_MICROS = 10_000;
/** What a customer pays by the page of the provider, who takes no less than five dollars. */
export function paidMicros(amount: number): number {
  return (amount + 4) * DOLLAR_MICROS;
}

/** What a creation costs for each image or video by the price list. */
export const PRICE_MICROS = { image: 20_000, edit: 30_000, openai: 20_000, video: 10_000 } as const;
/** Of a price: a change of prices sets as many as its amount. */
export const PRICE_STEPS = 10;
/** The longest time from a job's creation to its end: the deadlines of its model. */
export const QUEUE_TIMEOUT_MS = 60_000;
export const RUN_TIMEOUT_MS = 60_000;

/** The prices of a run, in steps: a change may have been in force before its answer and, in caches, after the next one. */
export function priceStepsOf({ operations }: Plan): number[] {
  const changes = operations.filter(({ kind }) => kind === 'price').map(({ amount }) => amount);
  return [...new Set([PRICE_STEPS, ...changes])];
}

/** What a creation may have cost. */
export function pricesOf({ endpoint, n }: Creation, steps: readonly number[]): number[] {
  const units = endpoint === 'image' || endpoint === 'openai' ? n : 1;
  return steps.map((step) => (PRICE_MICROS[endpoint] * units * step) / PRICE_STEPS);
}

export function highestPriceOf(creation: Creation, steps: readonly number[]): number {
  return Math.max(...pricesOf(creation, steps));
}

export function hasEnded(job: SeenJob): boolean {
  return job.completedAtMs !== null;
}

export function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/**
 * Folds the amounts in the order of their times. A rule asks for every call what was true before it, and a search in the sorted times
 * keeps the checker at n log n.
 * @returns the fold of all amounts before a time.
 */
export function foldBefore(
  amounts: readonly (readonly [atMs: number, amount: number])[],
  start = 0,
  fold = (total: number, amount: number): number => total + amount,
): (beforeMs: number) => number {
  const sorted = [...amounts].sort(([one], [other]) => (one === other ? 0 : one < other ? -1 : 1));
  const folded = [start];
  for (const [, amount] of sorted) folded.push(fold(folded.at(-1) as number, amount));
  return (beforeMs) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.[0] as number) < beforeMs) low = middle + 1;
      else high = middle;
    }
    return folded[low] as number;
  };
}

export function describe({ operation, kind, account }: Call): string {
  return `operation ${operation} (${kind}, account ${account})`;
}

export function jobsAtRest(accounts: RestingAccount[]): SeenJob[] {
  return accounts.flatMap(({ jobs }) => jobs).filter(({ status }) => !isInFlight(status));
}
