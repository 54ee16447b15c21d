import type { ComputeProvider, UpstreamStatus } from '@kinora/compute';
import { type AttemptProgress, type AttemptRow, type AttemptState, pollIntervalMs } from '../attempt/attempt.row';
import type { AttemptFailure } from '../attempt/decide-after-failure';

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
      return progress(attempt, 'accepted', status);
    case 'running':
      return progress(attempt, 'running', status);
    case 'succeeded':
      return progress(attempt, 'collecting', status);
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

/** What a backend reports besides the state. */
interface Report {
  isParked?: boolean;
  progress?: number;
  queuedAhead?: number;
}

function progress(
  attempt: AttemptRow,
  state: AttemptState,
  { isParked: parked = false, progress: reported, queuedAhead }: Report = {},
): NextStep {
  const { job_id, number, fence, state: from, age_ms } = attempt;
  const queued_ahead = queuedAhead ?? null;
  const risen = riseOf(reported, attempt.progress);
  const isNew = state !== from || parked !== attempt.parked || queued_ahead !== attempt.queued_ahead;
  if (!isNew && risen === undefined) return { kind: 'nothing_new' };
  const next_poll_in_ms = state === 'collecting' ? 0 : pollIntervalMs(age_ms);
  return {
    kind: 'progress',
    progress: {
      ...{ job_id, number, fence, from, state, next_poll_in_ms, problem: null, parked, queued_ahead },
      ...(risen !== undefined && { progress: risen }),
    },
  };
}

/** The reported progress if it has risen by a whole percent: smaller steps are not worth a write. */
function riseOf(reported: number | undefined, known: number | null): number | undefined {
  if (reported === undefined || !Number.isFinite(reported)) return undefined;
  const percent = Math.floor(Math.min(Math.max(reported, 0), 1) * 100);
  return known === null || percent > Math.round(known * 100) ? percent / 100 : undefined;
}
