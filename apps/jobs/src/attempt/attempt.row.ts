import type { JsonObject } from '@kinora/compute';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';

/**
 * submitting: written before anything is sent. answering: begun, by a backend whose answer will be the result itself.
 * unknown: sent, answer lost. accepted, running: as the provider says. collecting: done there, its outputs not yet here.
 */
export type AttemptState = 'submitting' | 'answering' | 'unknown' | 'accepted' | 'running' | 'collecting';

/** lost: taken, and proven forgotten. refused: proven not taken. interrupted: nobody knows of a submission by whoever held it. */
export type AttemptOutcome = 'succeeded' | 'failed' | 'lost' | 'refused' | 'interrupted' | 'canceled' | 'timed_out';

/** Outputs that came with the answer to a submission, as they lie in the object store until the job has ended. */
export interface SpooledOutputs {
  object_keys: string[];
  gpu_ms: number | null;
}

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
  spooled: SpooledOutputs | null;
  /** Whether it uses nothing of its instance now, as its backend says. */
  parked: boolean;
  /** Since it was made. */
  age_ms: number;
  /** The trace of its job. */
  traceparent: string | null;
}

/** What an attempt came to. */
export interface AttemptEnd {
  outcome: AttemptOutcome;
  gpuMs: number | null;
  /** Why it came to nothing, for operators: never a prompt, a path, a URL or a secret. */
  reason: string | null;
}

/** Where an attempt stands after a look, and when to look again. */
export interface AttemptProgress extends AttemptClaim {
  /** The state that it is known to have left. Left out by whoever holds the attempt, and so is alone in writing about it. */
  from?: AttemptState;
  state: AttemptState;
  next_check_in_ms: number;
  problem: JobErrorCode | null;
  /** Why nothing is known of it, where that is news. */
  reason?: string | undefined;
  /** Left out where nothing is known of it. */
  parked?: boolean;
  /** Left out, or null, where there is nothing new to keep. */
  upstream_ref?: JsonObject | null;
  spooled?: SpooledOutputs;
}

/** What became of what a backend held of an ended attempt. */
export interface CancelResult {
  outcome: 'stopped' | 'too_late' | 'gave_up';
  gpuMs: number | null;
}
