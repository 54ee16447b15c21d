import type { BucketState } from './rate-decision';

/** A key at the door, with the tokens that it asks for. */
export interface TokenRequest {
  hash: Buffer;
  tokens: 0 | 1;
}

/** What several asks of one moment want of one bucket. */
export interface BucketRequest {
  hash: Buffer;
  tokens: number;
  /** The places of the asks in their batch, first come, first served. */
  places: number[];
}

/** A bucket after all that were asked of it at a time. */
export interface SharedBucket extends Omit<BucketState, 'allowed'> {
  /** How many tokens it gave. */
  granted: number;
}

/** A bucket can be touched once in a statement, so asks of one key are put as one. */
export function groupByBucket(requests: TokenRequest[]): BucketRequest[] {
  const byHash = new Map<string, BucketRequest>();
  requests.forEach(({ hash, tokens }, place) => {
    const name = hash.toString('latin1');
    const known = byHash.get(name);
    if (known) {
      known.tokens += tokens;
      known.places.push(place);
    } else byHash.set(name, { hash, tokens, places: [place] });
  });
  return [...byHash.values()];
}

/** The bucket as each of the asks that shared it would have found it, had they come one after the other. */
export function splitTokens(
  { granted, ...bucket }: SharedBucket,
  requests: Pick<TokenRequest, 'tokens'>[],
): BucketState[] {
  let left = granted;
  return requests.map(({ tokens }) => {
    if (tokens === 0 || left === 0) return { ...bucket, allowed: tokens === 0 };
    left -= 1;
    // The tokens that went to those behind were still there.
    return { ...bucket, allowed: true, missing_micros: bucket.missing_micros - left * bucket.token_micros };
  });
}
