import type { FailureKind, ProviderFailure } from '@kinora/compute';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import type { AttemptOutcome } from './attempt.row';
import { retryDelayMs } from './retry-delay';

/** How an attempt can come to nothing. */
export type AttemptFailure =
  /** Proven not taken, for want of room. */
  | { kind: 'refused'; retryAfterMs: number | null; reason?: string | undefined }
  | { kind: 'failed'; providerFailure: ProviderFailure; gpuMs: number | null }
  /** Stopped at the backend, by somebody else. */
  | { kind: 'canceled'; gpuMs: number | null }
  /** Taken, and no longer known there. */
  | { kind: 'lost'; hosting: 'own' | 'paid' }
  /** Whoever was to send it is gone, and the backend has never heard of it. */
  | { kind: 'interrupted' };

/** What is known of a job's attempts up to now, this one not counted. */
export interface AttemptPast {
  lost: number;
  interrupted: number;
  /** The instances at which an attempt has failed. */
  failed_at: string[];
}

/** What follows for the job. */
export type FailureDecision =
  | { kind: 'again'; outcome: AttemptOutcome; problem: JobErrorCode | null; delayMs: number }
  | { kind: 'over'; outcome: AttemptOutcome; errorCode: JobErrorCode };

/** Design: a job that its provider has proven to have lost is submitted once more, free of charge. */
const MAX_LOSSES = 1;
/** A job that ends each process that touches it must not do so for ever. */
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
      // The mapping of failures does not name it. Somebody at the backend wanted it stopped, and some charge for what
      // ran until then: it is not begun a second time behind their back.
      return over('failed', 'provider_error');
    case 'lost':
      // Of a paid backend it is no proof that nothing ran, only that nothing can be had any more.
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

/** Why, in words for operators. */
export function reasonOf(failure: AttemptFailure): string {
  switch (failure.kind) {
    case 'refused':
      return failure.reason ?? 'no room';
    case 'failed':
      return failure.providerFailure.reason;
    case 'canceled':
      return 'stopped at the backend, by somebody else';
    case 'lost':
      return 'taken, and no longer known to the backend';
    case 'interrupted':
      return 'never sent: the process that held it is gone';
  }
}

function again(outcome: AttemptOutcome, problem: JobErrorCode | null, delayMs: number): FailureDecision {
  return { kind: 'again', outcome, problem, delayMs };
}

function over(outcome: AttemptOutcome, errorCode: JobErrorCode): FailureDecision {
  return { kind: 'over', outcome, errorCode };
}
