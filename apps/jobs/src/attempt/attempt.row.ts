import { type RowOf, columnsOf } from '@kinora/database';
import { AttemptEntity, type AttemptOutcome, type AttemptState, type SpooledOutputs } from './attempt.entity';

export type { AttemptOutcome, AttemptState, SpooledOutputs } from './attempt.entity';

/** The right to write about an attempt: whoever claimed it last holds the highest fence. */
export type AttemptClaim = Pick<AttemptEntity, 'job_id' | 'number' | 'fence'>;

const CLAIMED = columnsOf(
  AttemptEntity,
  ...(['job_id', 'number', 'fence', 'provider', 'state', 'upstream_id', 'upstream_ref'] as const),
  ...(['spooled', 'parked', 'traceparent'] as const),
);

/** What a claim reads of `attempt`. */
export const ATTEMPT_COLUMNS = `${CLAIMED.of('attempt')},
  (extract(epoch FROM clock_timestamp() - attempt.created_at) * 1000)::bigint AS age_ms`;

/** A claimed attempt, which has not ended. */
export interface AttemptRow extends Omit<RowOf<typeof CLAIMED>, 'state'> {
  state: AttemptState;
  /** Since it was made. */
  age_ms: number;
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
  next_poll_in_ms: number;
  problem: AttemptEntity['problem'];
  /** Why nothing is known of it, where that is news. */
  reason?: string | undefined;
  /** Left out where nothing is known of it. */
  parked?: boolean;
  /** Left out, or null, where there is nothing new to keep. */
  upstream_ref?: AttemptEntity['upstream_ref'];
  spooled?: SpooledOutputs;
}

/** What became of what a backend held of an ended attempt. */
export interface CancelResult {
  outcome: 'stopped' | 'too_late' | 'gave_up';
  gpuMs: number | null;
}
