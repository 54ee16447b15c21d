import type { ComputeProvider, UpstreamStatus } from '@kinora/compute';
import type { AttemptProgress, AttemptRow, AttemptState } from '../attempt/attempt.row';
import { pollIntervalMs } from '../attempt/poll-interval';
import type { AttemptFailure } from '../attempt/decide-after-failure';

/** What follows from a poll. */
export type NextStep =
  | { kind: 'nothing_new' }
  | { kind: 'progress'; progress: AttemptProgress }
  | { kind: 'failure'; failure: AttemptFailure };

/** Written before anything is sent. No answer is known, so the process may have died before it sent the submission. */
const UNANSWERED: AttemptState[] = ['submitting', 'answering'];

/** Decides the next state of an attempt from the status at the provider. */
export function nextStep(
  attempt: AttemptRow,
  status: UpstreamStatus,
  backend: Pick<ComputeProvider, 'hosting' | 'resultTtlMs'>,
): NextStep {
  switch (status.state) {
    case 'queued':
      return progress(attempt, 'accepted', status.isParked);
    case 'running':
      return progress(attempt, 'running', status.isParked);
    case 'succeeded':
      return progress(attempt, 'collecting');
    case 'failed':
      return { kind: 'failure', failure: { kind: 'failed', providerFailure: status.failure, gpuMs: status.gpuMs } };
    case 'canceled':
      return { kind: 'failure', failure: { kind: 'canceled', gpuMs: status.gpuMs } };
    case 'not_found':
      return stepOfNotFound(attempt, backend);
    case 'unreachable':
      // No state changes without an answer, except that a submission without an answer becomes unknown.
      return UNANSWERED.includes(attempt.state) ? progress(attempt, 'unknown') : { kind: 'nothing_new' };
  }
}

function stepOfNotFound(
  attempt: AttemptRow,
  { hosting, resultTtlMs }: Pick<ComputeProvider, 'hosting' | 'resultTtlMs'>,
): NextStep {
  if (hosting === 'own' && attempt.state === 'submitting') return { kind: 'failure', failure: { kind: 'interrupted' } };
  const isProven = hosting === 'own' || (resultTtlMs !== null && attempt.age_ms > resultTtlMs);
  // A paid backend may not know the task yet. As long as a result, and a bill, may exist, the attempt is polled.
  return isProven ? { kind: 'failure', failure: { kind: 'lost', hosting } } : progress(attempt, 'unknown');
}

function progress(attempt: AttemptRow, state: AttemptState, parked = false): NextStep {
  const { job_id, number, fence, state: from, age_ms } = attempt;
  if (state === from && parked === attempt.parked) return { kind: 'nothing_new' };
  const next_poll_in_ms = state === 'collecting' ? 0 : pollIntervalMs(age_ms);
  return {
    kind: 'progress',
    progress: { job_id, number, fence, from, state, next_poll_in_ms, problem: null, parked },
  };
}
