import { rpc } from '../shared/contract';

/** The longest list of one request. */
export const SUSPENDED_JOBS_MAX = 50;

export const suspendedAccountsRpc = {
  /**
   * Cancels jobs of an account that was suspended for its strikes: waiting ones, and running ones at their backends. All are refunded.
   * No job comes of a creation that is still under way. Idempotent. Answers with the ids of those that are settled; the sender repeats
   * the others.
   */
  cancelJobs: rpc<{ account_id: string; job_ids: string[] }, { settled: string[] }>(
    'jobs.v1.cancel_jobs_of_suspended_account',
  ),
} as const;
