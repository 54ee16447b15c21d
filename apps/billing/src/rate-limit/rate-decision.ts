import type { RateDecision } from '@kinora/contracts/billing/billing.rpc';

/** A bucket after one token was requested. */
export interface BucketState {
  rate_limit_rpm: number;
  allowed: boolean;
  /** The refill time of one token. */
  token_micros: number;
  /** The time until the bucket is full again. */
  missing_micros: number;
}

const MICROS_PER_SECOND = 1_000_000;

/** The bucket in the form of the RPC response. */
export function toRateDecision(bucket: BucketState): RateDecision {
  const { rate_limit_rpm: limit, allowed, token_micros, missing_micros } = bucket;
  if (allowed) return { allowed, limit, remaining: limit - Math.ceil(missing_micros / token_micros) };
  return { allowed, limit, remaining: 0, retry_after_seconds: secondsUntilNextToken(bucket) };
}

function secondsUntilNextToken({ rate_limit_rpm, token_micros, missing_micros }: BucketState): number {
  const waitMicros = missing_micros - (rate_limit_rpm - 1) * token_micros;
  // Not above 0 if another request took the last token after this bucket was read.
  return Math.max(1, Math.ceil(waitMicros / MICROS_PER_SECOND));
}
