import type { RateDecision } from '@kinora/contracts/billing/billing.rpc';

/** A bucket after one token was asked of it. */
export interface BucketState {
  rate_limit_rpm: number;
  allowed: boolean;
  /** The time in which one token comes back. */
  token_micros: number;
  /** The time in which all that are gone come back. */
  missing_micros: number;
}

const MICROS_PER_SECOND = 1_000_000;

/** What a caller is told of its bucket. */
export function toRateDecision(bucket: BucketState): RateDecision {
  const { rate_limit_rpm: limit, allowed, token_micros, missing_micros } = bucket;
  if (allowed) return { allowed, limit, remaining: limit - Math.ceil(missing_micros / token_micros) };
  return { allowed, limit, remaining: 0, retry_after_seconds: secondsUntilNextToken(bucket) };
}

function secondsUntilNextToken({ rate_limit_rpm, token_micros, missing_micros }: BucketState): number {
  const waitMicros = missing_micros - (rate_limit_rpm - 1) * token_micros;
  // Not above 0 where a neighbour took the last token after this bucket was read.
  return Math.max(1, Math.ceil(waitMicros / MICROS_PER_SECOND));
}
