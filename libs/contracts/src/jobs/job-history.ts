import type { Job } from './job';

/** One try at a provider, as an operator sees it. */
export interface JobAttempt {
  number: number;
  provider: string;
  state: string;
  /** Null while it is open. */
  outcome: string | null;
  /** What has kept the job from ending, in the words of Job.error. */
  problem: string | null;
  /** Why the attempt failed, was refused, or is of unknown fate; null where nothing went wrong. Absent in answers of older releases. */
  reason?: string | null;
  /** As the provider tells it; null where it does not. */
  gpu_ms: number | null;
  /** Whether the provider has stopped what nobody wanted any more: `stopped`, `too_late`, `gave_up`; null while it is tried, or was not needed. */
  cancel_outcome: string | null;
  cancel_tries: number;
  created_at: string;
  ended_at: string | null;
}

/** What providers have worked for an account's jobs that were canceled, ran out of time or failed, and so were not paid for. */
export interface CanceledWork {
  attempts: number;
  /** Those of them that were done when the cancel came. */
  too_late: number;
  /** Of those whose providers tell it. */
  gpu_ms: number;
}

/** A job of any account, with how it came to be as it is. */
export interface JobHistory {
  account_id: string;
  job: Job;
  attempts: JobAttempt[];
  /** Of the account. */
  canceled_work: CanceledWork;
}
