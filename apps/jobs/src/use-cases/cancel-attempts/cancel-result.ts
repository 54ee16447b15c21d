import type { CancelOutcome, UpstreamStatus } from '@kinora/compute';
import type { AttemptOutcome, CancelResult } from '../../attempt/attempt.row';

/** About a quarter of an hour, at the intervals of the tries. */
const MAX_TRIES = 12;
/** Some seconds: an aborted submission may still be on its way to the backend, which does not know the task yet. */
const TRIES_UNTIL_ABSENT = 3;

/** The result of one try to cancel. */
export interface CancelTry {
  /** The outcome of the attempt. */
  outcome: AttemptOutcome;
  /** Including this one. */
  tries: number;
  answer: CancelOutcome;
  /** The state of the task after the try. Null if it was not polled, because the outputs are already spooled. */
  status: UpstreamStatus | null;
}

/** Decides whether a cancel is over, and with which result. Null: it has to be repeated. */
export function cancelResult({ outcome, tries, answer, status }: CancelTry): CancelResult | null {
  const result = outcome === 'succeeded' ? resultOf(answer) : resultOfStatus({ answer, status, tries });
  return result ?? (tries >= MAX_TRIES ? { outcome: 'gave_up', gpuMs: null } : null);
}

function resultOf(answer: CancelOutcome): CancelResult | null {
  return answer === 'unknown' ? null : { outcome: answer, gpuMs: null };
}

function resultOfStatus({
  answer,
  status,
  tries,
}: Pick<CancelTry, 'answer' | 'status' | 'tries'>): CancelResult | null {
  switch (status?.state) {
    case 'succeeded':
      return { outcome: 'too_late', gpuMs: status.gpuMs };
    case 'failed':
    case 'canceled':
      return { outcome: 'stopped', gpuMs: status.gpuMs };
    case 'queued':
    case 'running':
      // The task still runs, although the backend has accepted the cancel: it is polled until it has stopped.
      return null;
    case 'not_found':
      return tries < TRIES_UNTIL_ABSENT ? null : (resultOf(answer) ?? { outcome: 'stopped', gpuMs: null });
    case 'unreachable':
    case undefined:
      return resultOf(answer);
  }
}
