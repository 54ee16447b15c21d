import type { RateDecision } from '@kinora/contracts/billing/billing.rpc';

/** A bucket after one token was requested. */
interface BucketState {
  rate_limit_rpm: number;
  allowed: boolean;
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

/** A key to admit, with the tokens that it needs. */
export interface TokenRequest {
  hash: Buffer;
  tokens: 0 | 1;
  /** How many more tokens the gateway would spend by itself; 0 for no lease. */
  leaseTokens: number;
}

export interface BucketRequest {
  hash: Buffer;
  tokens: number;
  /** What the first request for a lease wants: one statement grants one lease for each key. */
  leaseTokens: number;
  /** The positions of the requests in their batch, in order of arrival. */
  places: number[];
}

/** A bucket after all requested tokens of a batch. */
export interface SharedBucket extends Omit<BucketState, 'allowed'> {
  /** How many tokens were taken, leased ones included. */
  granted: number;
}

/** The part of a bucket that one request of a batch gets. */
export interface BucketPart extends BucketState {
  /** 0 without a lease. */
  leased: number;
}

/** Groups requests by key, because one statement can update a bucket only once. */
export function groupByBucket(requests: TokenRequest[]): BucketRequest[] {
  const byHash = new Map<string, BucketRequest>();
  requests.forEach(({ hash, tokens, leaseTokens }, place) => {
    const name = hash.toString('latin1');
    const known = byHash.get(name);
    if (known) {
      known.tokens += tokens;
      known.leaseTokens ||= leaseTokens;
      known.places.push(place);
    } else byHash.set(name, { hash, tokens, leaseTokens, places: [place] });
  });
  return [...byHash.values()];
}

/**
 * The bucket as each of its requests would have left it, if they had run one after the other. What is left after all of
 * them is leased to the first request for a lease.
 */
export function splitTokens(
  { granted, ...bucket }: SharedBucket,
  requests: Pick<TokenRequest, 'tokens' | 'leaseTokens'>[],
): BucketPart[] {
  const lessee = requests.findIndex(({ leaseTokens }) => leaseTokens > 0);
  let left = granted;
  const parts = requests.map(({ tokens }): BucketPart => {
    if (tokens === 0 || left === 0) return { ...bucket, allowed: tokens === 0, leased: 0 };
    left -= 1;
    // Later requests had not taken their tokens yet.
    return { ...bucket, allowed: true, missing_micros: bucket.missing_micros - left * bucket.token_micros, leased: 0 };
  });
  return parts.map((part, place) => (place === lessee ? { ...part, leased: left } : part));
}
