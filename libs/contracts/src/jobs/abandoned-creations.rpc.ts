import { rpc } from '../shared/contract';

/** A creation whose caller was told that it failed, although it may have succeeded, or may succeed later. */
export interface AbandonedCreation {
  account_id: string;
  /** As the gateway named it in the create request. */
  job_id: string;
  /** It has an Idempotency-Key: a job that is stored already stays, because a repeat of the request gets it. */
  has_key?: true;
}

/** The longest list of one request. */
export const ABANDONED_CREATIONS_MAX = 100;

export const abandonedCreationsRpc = {
  /**
   * Ensures that no job comes of these creations, or cancels and refunds the job that has come already. Idempotent. Answers with
   * the ids of those that are settled; the sender repeats the others.
   */
  abandon: rpc<{ creations: AbandonedCreation[] }, { settled: string[] }>('jobs.v1.abandon_creations', {
    timeoutMs: 5_000,
    errors: ['capacity'],
  }),
} as const;
