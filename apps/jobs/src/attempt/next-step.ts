import type { UpstreamStatus } from '../providers/compute-provider.port';
import type { AttemptProgress, AttemptRow } from './attempt.row';

/** What a look at the provider leads to. */
export type NextStep =
  | { kind: 'progress'; progress: AttemptProgress; started: boolean; ready: boolean }
  | { kind: 'failed'; gpuMs: number | null }
  | { kind: 'lost' };

/** Soon after the submission, since fast models are done soon. */
export const FIRST_CHECK_MS = 150;
/** Below the five seconds after which a read would ask the provider itself. */
const MAX_CHECK_INTERVAL_MS = 4_000;
const RETRY_UNREACHABLE_MS = 1_000;

/** Decides what an attempt becomes by what the provider says of it. */
export function nextStep(attempt: AttemptRow, status: UpstreamStatus): NextStep {
  switch (status.state) {
    case 'queued':
      return progress(attempt, { state: 'accepted', next_check_in_ms: checkIntervalMs(attempt.age_ms) });
    case 'running':
      return progress(
        attempt,
        { state: 'running', next_check_in_ms: checkIntervalMs(attempt.age_ms) },
        { started: true },
      );
    case 'succeeded':
      return progress(attempt, { state: 'collecting', next_check_in_ms: 0 }, { started: true, ready: true });
    case 'failed':
    case 'canceled':
      return { kind: 'failed', gpuMs: status.gpuMs };
    case 'not_found':
      return { kind: 'lost' };
    case 'unreachable':
      // Nothing is known, so nothing changes, save that a submission whose answer never came is now an unknown one.
      return progress(attempt, {
        state: attempt.state === 'submitting' || attempt.state === 'answering' ? 'unknown' : attempt.state,
        next_check_in_ms: RETRY_UNREACHABLE_MS,
      });
  }
}

/** A job that has run for long will hardly end this very moment. */
export function checkIntervalMs(ageMs: number): number {
  return Math.min(Math.max(ageMs / 4, FIRST_CHECK_MS), MAX_CHECK_INTERVAL_MS);
}

function progress(
  { job_id, number, fence }: AttemptRow,
  seen: Pick<AttemptProgress, 'state' | 'next_check_in_ms'>,
  { started = false, ready = false }: { started?: boolean; ready?: boolean } = {},
): NextStep {
  return { kind: 'progress', progress: { job_id, number, fence, problem: null, ...seen }, started, ready };
}
