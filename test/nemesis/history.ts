import type { JobStatus } from '@kinora/contracts/jobs/job';
import type { Creation, OperationKind, Plan, ReceiverKind } from './swarm';

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
  /** What a top-up adds, or the new limit of jobs. */
  amount: number;
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

/** What can be read once nothing moves any more. */
export interface RestingAccount {
  balanceMicros: number;
  jobs: SeenJob[];
  feed: { eventId: string; jobId: string; status: JobStatus }[];
  receipts: {
    jobId: string;
    /** Null where the signature does not verify. */ outcome: string | null;
    chargedMicros: number;
  }[];
  /** Jobs whose links do not give as many bytes as they state, signed. */
  brokenFiles: string[];
}

export interface History {
  plan: Plan;
  calls: Call[];
  deliveries: Delivery[];
  rest: { accounts: RestingAccount[]; unsettled: string[]; tookMs: number };
}

/** What the jobs of a creation cost. */
export const PRICE_MICROS = { image: 20_000, edit: 30_000, openai: 20_000 } as const;
/** The longest time from a job's creation to its end: the deadlines of its model. */
export const QUEUE_TIMEOUT_MS = 60_000;
export const RUN_TIMEOUT_MS = 60_000;

export function priceOf({ endpoint, n }: Creation): number {
  return PRICE_MICROS[endpoint] * (endpoint === 'edit' ? 1 : n);
}

export function hasEnded(job: SeenJob): boolean {
  return job.completedAtMs !== null;
}

export function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
