import { deliveriesEnded, firstAttemptDelay, webhookAttemptDuration } from '../webhook-dispatcher.metrics';
import type { AttemptResult } from './attempt-result';
import type { ClaimedDelivery } from './claimed-delivery';
import type { NextStep } from './retry-schedule';

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
