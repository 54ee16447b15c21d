import type { DeliveryStatus } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { EgressFailure, EgressResponse } from '@kinora/egress';
import { deliveriesEnded, firstAttemptDelay, webhookAttemptDuration } from '../webhook-dispatcher.metrics';
import type { DeliveryEntity } from './delivery.entity';

/** What an attempt needs, and the fence that its result must match. */
export type ClaimedDelivery = Pick<
  DeliveryEntity,
  'id' | 'event_type' | 'account_id' | 'host' | 'url' | 'body' | 'attempts' | 'fence' | 'traceparent'
>;

/**
 * How long a claimed delivery is locked for one process: the request for the secrets, the attempt, its result, and a
 * reserve.
 */
export const LEASE_MS = 30_000;

/** The result of one attempt. */
export interface AttemptResult {
  response_status: number | null;
  /** The class of the failure, never text from the receiver; null if the receiver acknowledged. */
  error: EgressFailure | 'redirect' | 'not_acknowledged' | null;
  latency_ms: number;
}

/**
 * A receiver acknowledges with any 2xx, however its body ends. A redirect is a failure, also one to a permitted address
 * (decisions: Webhooks).
 */
export function toAnsweredResult({ status }: Pick<EgressResponse, 'status'>, latencyMs: number): AttemptResult {
  return { response_status: status, error: errorOf(status), latency_ms: latencyMs };
}

export function toUnansweredResult(failure: EgressFailure, latencyMs: number): AttemptResult {
  return { response_status: null, error: failure, latency_ms: latencyMs };
}

function errorOf(status: number): AttemptResult['error'] {
  if (status >= 300 && status < 400) return 'redirect';
  return status >= 200 && status < 300 ? null : 'not_acknowledged';
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The pauses between attempts (decisions: Webhooks). No jitter: the slots of a host spread the attempts that fall due
 * together.
 */
const RETRY_AFTER_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS];

export interface NextStep {
  status: DeliveryStatus;
  /** Counted from the end of the attempt; null if no attempt follows. */
  retryAfterMs: number | null;
}

/** Decides what follows an attempt, given the number of attempts before it. */
export function decideNextStep(attemptsBefore: number, { error }: AttemptResult): NextStep {
  if (error === null) return { status: 'delivered', retryAfterMs: null };
  const retryAfterMs = RETRY_AFTER_MS[attemptsBefore] ?? null;
  return { status: retryAfterMs === null ? 'exhausted' : 'pending', retryAfterMs };
}

/** Records the metrics of an attempt that has just ended. */
export function meterAttempt({ id, attempts }: ClaimedDelivery, result: AttemptResult, { status }: NextStep): void {
  webhookAttemptDuration.of({ outcome: result.error ?? 'delivered' }).observe(result.latency_ms / 1_000);
  if (attempts === 0) firstAttemptDelay.of({}).observe(Math.max(0, Date.now() - mintedAtMs(id)) / 1_000);
  if (status !== 'pending') deliveriesEnded.inc({ status });
}

/** RFC 9562, "UUID Version 7": the first 48 bits are the milliseconds of Unix time. */
function mintedAtMs(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}
