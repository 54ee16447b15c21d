import type { BucketState } from './rate-decision';

/** A key to admit, with the tokens that it needs. */
export interface TokenRequest {
  hash: Buffer;
  tokens: 0 | 1;
}

/** The requests of one batch that share a bucket. */
export interface BucketRequest {
  hash: Buffer;
  tokens: number;
  /** The positions of the requests in their batch, in order of arrival. */
  places: number[];
}

/** A bucket after all requested tokens of a batch. */
export interface SharedBucket extends Omit<BucketState, 'allowed'> {
  /** How many tokens were taken. */
  granted: number;
}

/** Groups requests by key, because one statement can update a bucket only once. */
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

/** The bucket as each of its requests would have left it, if they had run one after the other. */
export function splitTokens(
  { granted, ...bucket }: SharedBucket,
  requests: Pick<TokenRequest, 'tokens'>[],
): BucketState[] {
  let left = granted;
  return requests.map(({ tokens }) => {
    if (tokens === 0 || left === 0) return { ...bucket, allowed: tokens === 0 };
    left -= 1;
    // Later requests had not taken their tokens yet.
    return { ...bucket, allowed: true, missing_micros: bucket.missing_micros - left * bucket.token_micros };
  });
}
