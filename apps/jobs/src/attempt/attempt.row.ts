import type { JsonObject } from '../providers/json';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';

/**
 * submitting: written before anything is sent. unknown: sent, answer lost. accepted, running: as the provider says.
 * collecting: done there, its outputs not yet here.
 */
export type AttemptState = 'submitting' | 'unknown' | 'accepted' | 'running' | 'collecting';

export type AttemptOutcome = 'succeeded' | 'failed' | 'lost' | 'refused' | 'canceled' | 'timed_out';

/** The right to write about an attempt: whoever claimed it last holds the highest fence. */
export interface AttemptClaim {
  job_id: string;
  number: number;
  fence: number;
}

/** A claimed attempt. */
export interface AttemptRow extends AttemptClaim {
  provider: string;
  state: AttemptState;
  upstream_id: string;
  /** What the provider's answer to the submission told, where it is needed to find the task again. */
  upstream_ref: JsonObject | null;
  /** Since it was made. */
  age_ms: number;
}

/** Where an attempt stands after a look, and when to look again. */
export interface AttemptProgress extends AttemptClaim {
  state: AttemptState;
  next_check_in_ms: number;
  problem: JobErrorCode | null;
}
