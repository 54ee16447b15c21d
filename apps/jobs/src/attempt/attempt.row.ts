import type { UpstreamTask } from '@kinora/compute';
import { columnsOf, type RowOf } from '@kinora/database';
import { AttemptEntity, type AttemptOutcome, type AttemptState, type SpooledOutputs } from './attempt.entity';

export type { AttemptOutcome, AttemptState, SpooledOutputs } from './attempt.entity';

/** The right to write about an attempt: the last process that claimed it holds the highest fencing token. */
export type AttemptClaim = Pick<AttemptEntity, 'job_id' | 'number' | 'fence'>;

const CLAIMED = columnsOf(
  AttemptEntity,
  ...(['job_id', 'number', 'fence', 'provider', 'state', 'upstream_id', 'upstream_ref'] as const),
  ...(['spooled', 'parked', 'progress', 'queued_ahead', 'traceparent'] as const),
);

export const ATTEMPT_COLUMNS = `${CLAIMED.of('attempt')},
  (extract(epoch FROM clock_timestamp() - attempt.created_at) * 1000)::bigint AS age_ms`;

/** A claimed attempt, which has not ended. */
export interface AttemptRow extends Omit<RowOf<typeof CLAIMED>, 'state'> {
  state: AttemptState;
  /** The time since its creation. */
  age_ms: number;
}

export interface AttemptEnd {
  outcome: AttemptOutcome;
  gpuMs: number | null;
  /** Why it failed, for operators: never a prompt, a path, a URL or a secret. */
  reason: string | null;
}

/** The state of an attempt after a poll, and the time of the next poll. */
export interface AttemptProgress extends AttemptClaim {
  /** The state that the caller has read. The holder of a lease omits it, because no other process writes about the attempt. */
  from?: AttemptState;
  state: AttemptState;
  next_poll_in_ms: number;
  problem: AttemptEntity['problem'];
  /** Why its state is unknown, if that is new. */
  reason?: string | undefined;
  /** Omitted if unknown. */
  parked?: boolean;
  /** 0 to 1; omitted where the backend reports no rise. */
  progress?: number;
  /** How many tasks are before it in the queue of its backend; omitted where the backend does not report it. */
  queued_ahead?: number | null;
  /** Omitted or null if there is nothing new to store. */
  upstream_ref?: AttemptEntity['upstream_ref'];
  spooled?: SpooledOutputs;
}

export interface CancelResult {
  outcome: 'stopped' | 'too_late' | 'gave_up';
  gpuMs: number | null;
}

export function toUpstreamTask({ upstream_id: id, upstream_ref: ref }: AttemptRow): UpstreamTask {
  return { id, ref };
}

/** Soon after the submission, because fast models finish soon. */
export const FIRST_POLL_MS = 150;
/** Below the five seconds after which a read polls the provider inline. */
export const MAX_POLL_INTERVAL_MS = 4_000;
/** The next poll comes after a quarter of the attempt's age: the older the attempt, the less a delay of its end matters. */
export const AGE_PER_INTERVAL = 4;

export function pollIntervalMs(ageMs: number): number {
  return Math.min(Math.max(ageMs / AGE_PER_INTERVAL, FIRST_POLL_MS), MAX_POLL_INTERVAL_MS);
}
