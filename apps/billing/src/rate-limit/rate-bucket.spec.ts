import { groupByBucket, splitTokens, toRateDecision } from './rate-bucket';

describe('rate decision', () => {
  const bucket = { rate_limit_rpm: 6, token_micros: 10_000_000 };

  it.each([
    [10_000_000, 5],
    [10_000_001, 4],
    [19_999_999, 4],
    [60_000_000, 0],
  ])('counts only whole tokens as left: %i us missing leave %i', (missing_micros, remaining) => {
    expect(toRateDecision({ ...bucket, allowed: true, missing_micros })).toEqual({
      allowed: true,
      limit: 6,
      remaining,
    });
  });

  it.each([
    [60_000_000, 10],
    [50_000_001, 1],
    // Read before other requests took the rest.
    [20_000_000, 1],
  ])('waits until a whole token is back: with %i us missing %i s', (missing_micros, retry_after_seconds) => {
    const decision = toRateDecision({ ...bucket, allowed: false, missing_micros });
    expect(decision).toEqual({ allowed: false, limit: 6, remaining: 0, retry_after_seconds });
  });
});

describe('a bucket that several requests of a batch share', () => {
  const bucket = { rate_limit_rpm: 6, token_micros: 10, missing_micros: 50 };

  it('is updated once for all of them', () => {
    const [a, b] = [Buffer.from('a'), Buffer.from('b')];
    const requests = [
      { hash: a, tokens: 1, leaseTokens: 0 },
      { hash: b, tokens: 0, leaseTokens: 0 },
      { hash: Buffer.from(a), tokens: 1, leaseTokens: 3 },
      { hash: a, tokens: 1, leaseTokens: 9 },
    ] as const;
    expect(groupByBucket([...requests])).toEqual([
      { hash: a, tokens: 3, leaseTokens: 3, places: [0, 2, 3] },
      { hash: b, tokens: 0, leaseTokens: 0, places: [1] },
    ]);
  });

  it('gives its tokens in order of arrival, and returns to each what was left after it', () => {
    const requests = ([1, 1, 1, 0] as const).map((tokens) => ({ tokens, leaseTokens: 0 }));
    expect(
      splitTokens({ ...bucket, granted: 2 }, requests).map(({ allowed, missing_micros }) => [allowed, missing_micros]),
    ).toEqual([
      [true, 40],
      [true, 50],
      [false, 50],
      [true, 50],
    ]);
  });

  it('leases what all requests left to the first that wants a lease', () => {
    const requests = ([0, 4, 4] as const).map((leaseTokens) => ({ tokens: 1, leaseTokens }) as const);
    const parts = splitTokens({ ...bucket, granted: 5 }, requests);
    expect(parts.map(({ leased, missing_micros }) => [leased, missing_micros])).toEqual([
      [0, 10],
      [2, 20],
      [0, 30],
    ]);
  });
});
