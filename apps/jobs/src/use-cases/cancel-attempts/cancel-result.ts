import type { CancelOutcome, UpstreamStatus } from '@kinora/compute';
import type { AttemptOutcome, CancelResult } from '../../attempt/attempt.row';

/** About a quarter of an hour, at the pace of the tries. */
const MAX_TRIES = 12;
/** Some seconds: a submission that we hung up on may still be on its way into the backend, which does not know it yet. */
const TRIES_UNTIL_ABSENT = 3;

/** What a try to cancel has shown. */
export interface CancelTry {
  /** Of the attempt. */
  outcome: AttemptOutcome;
  /** With this one. */
  tries: number;
  answer: CancelOutcome;
  /** How the task stood after that. Null where nobody asked, for what was made is ours already. */
  status: UpstreamStatus | null;
}

/** Decides whether a cancel is over, and with what. Null: to be tried again. */
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
      // Whatever it answered, the GPU works on: a backend that has only noted the wish is watched until it is done.
      return null;
    case 'not_found':
      return tries < TRIES_UNTIL_ABSENT ? null : (resultOf(answer) ?? { outcome: 'stopped', gpuMs: null });
    case 'unreachable':
    case undefined:
      return resultOf(answer);
  }
}
