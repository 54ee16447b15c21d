import { ApiError } from '../shared/errors';
import type { Job } from './job';
import type { ReceiptPrice } from './receipt';

/** One attempt at a provider, as operators see it. */
export interface JobAttempt {
  number: number;
  provider: string;
  state: string;
  /** Null while it is open. */
  outcome: string | null;
  /** Why the attempt did not succeed, as a code of Job.error. */
  problem: string | null;
  /** Why the attempt failed, was refused, or has an unknown outcome; null if there was no problem. */
  reason?: string | null;
  /** As reported by the provider; null if it reports none. */
  gpu_ms: number | null;
  /**
   * Whether the provider has stopped work that is no longer needed: `stopped`, `too_late`, `gave_up`; null while stopping is
   * tried, or was not needed.
   */
  cancel_outcome: string | null;
  cancel_tries: number;
  created_at: string;
  ended_at: string | null;
}

/** Provider work for an account's jobs that were canceled, timed out or failed, and were therefore not charged. */
export interface CanceledWork {
  attempts: number;
  /** The number of them that had finished when the cancel arrived. */
  too_late: number;
  /** The sum over providers that report it. */
  gpu_ms: number;
}

/** A job of any account with its history. */
export interface JobHistory {
  account_id: string;
  job: Job;
  attempts: JobAttempt[];
  /** The id of the account. */
  canceled_work: CanceledWork;
  /** How the price came about. */
  price?: ReceiptPrice;
}

/** Why a creation would be refused: the error that it would answer. */
export interface Refusal {
  /** As in the errors of the creation. */
  code: string;
  /** The offending field of the request, or null. */
  param: string | null;
  message: string;
}

/** The refusal that an error of a check means. Any other error is no finding about the request, and is thrown again. */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof ApiError) || error.code === 'internal_error') throw error;
  const { code, param = null, message } = error;
  return { code, param, message };
}
