import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import type { FailureKind, ProviderFailure } from '@kinora/compute';
import type { AttemptOutcome } from './attempt.row';

const FIRST_RETRY_MS = 500;
/** A job that was refused right before its backend came back starts within five seconds, including a round of the dispatcher. */
const MAX_RETRY_MS = 3_000;
/** Longer delays that a backend requests are cut: one more try costs the backend one refusal. */
const MAX_REQUESTED_MS = 60_000;

/** The delay after a refusal: exponential backoff with jitter, at least as long as the backend requests. */
export function retryDelayMs(attemptNumber: number, retryAfterMs: number | null, roll = Math.random()): number {
  const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** (attemptNumber - 1), MAX_RETRY_MS);
  const requestedMs = Math.min(retryAfterMs ?? 0, MAX_REQUESTED_MS);
  return Math.round(requestedMs + backoffMs * (0.5 + roll / 2));
}

/** How an attempt can fail. */
export type AttemptFailure =
  /** Proven not to be accepted, because there was no room. */
  | { kind: 'refused'; retryAfterMs: number | null; reason?: string | undefined }
  | { kind: 'failed'; providerFailure: ProviderFailure; gpuMs: number | null }
  /** Stopped at the backend by another user. */
  | { kind: 'canceled'; gpuMs: number | null }
  /** Accepted, and no longer known there. */
  | { kind: 'lost'; hosting: 'own' | 'paid' }
  /** The process that was to send it has died, and the backend has no such task. */
  | { kind: 'interrupted' };

/** What is known of the job's earlier attempts. */
export interface AttemptPast {
  lost: number;
  interrupted: number;
  failed_at: string[];
}

export type FailureDecision =
  | { kind: 'again'; outcome: AttemptOutcome; problem: JobErrorCode | null; delayMs: number }
  | { kind: 'over'; outcome: AttemptOutcome; errorCode: JobErrorCode };

/** A job that is proven to be lost at its provider is submitted once more, free of charge. */
const MAX_LOSSES = 1;
/** Bounds the tries of a job that crashes each process that handles it. */
const MAX_INTERRUPTIONS = 4;
const MAX_FAILURES = 2;

export function decideAfterFailure(
  failure: AttemptFailure,
  past: AttemptPast,
  retry: { number: number; hasOtherInstance: boolean },
): FailureDecision {
  switch (failure.kind) {
    case 'refused':
      return again('refused', 'capacity', retryDelayMs(retry.number, failure.retryAfterMs));
    case 'failed':
      return decideAfterProviderFailure(failure.providerFailure.kind, past, retry);
    case 'canceled':
      // The task was stopped at the backend by another user, and some backends charge for what ran until then. So it is not
      // submitted a second time.
      return over('failed', 'provider_error');
    case 'lost':
      // A paid backend that does not know the task may still have run it. It only proves that no result can be fetched any
      // more.
      return failure.hosting === 'own' && past.lost < MAX_LOSSES
        ? again('lost', null, 0)
        : over('lost', 'provider_error');
    case 'interrupted':
      return past.interrupted < MAX_INTERRUPTIONS
        ? again('interrupted', null, 0)
        : over('interrupted', 'provider_error');
  }
}

function decideAfterProviderFailure(
  kind: FailureKind,
  past: AttemptPast,
  { number, hasOtherInstance }: { number: number; hasOtherInstance: boolean },
): FailureDecision {
  switch (kind) {
    case 'capacity':
      return again('refused', 'capacity', retryDelayMs(number, null));
    case 'transient':
      return hasOtherInstance && past.failed_at.length + 1 < MAX_FAILURES
        ? again('failed', 'provider_error', 0)
        : over('failed', 'provider_error');
    case 'content_rejected':
      return over('failed', 'content_blocked_output');
    case 'timeout':
      return over('failed', 'provider_timeout');
    case 'invalid_input':
    case 'fatal':
      return over('failed', 'provider_error');
  }
}

export function reasonOf(failure: AttemptFailure): string {
  switch (failure.kind) {
    case 'refused':
      return failure.reason ?? 'no room';
    case 'failed':
      return failure.providerFailure.reason;
    case 'canceled':
      return 'stopped at the backend by another user';
    case 'lost':
      return 'accepted, and no longer known to the backend';
    case 'interrupted':
      return 'never sent: the process that held it has died';
  }
}

function again(outcome: AttemptOutcome, problem: JobErrorCode | null, delayMs: number): FailureDecision {
  return { kind: 'again', outcome, problem, delayMs };
}

function over(outcome: AttemptOutcome, errorCode: JobErrorCode): FailureDecision {
  return { kind: 'over', outcome, errorCode };
}
