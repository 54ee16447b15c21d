import { groupByBucket, splitTokens } from './shared-bucket';

describe('a bucket that several requests of a batch share', () => {
  const bucket = { rate_limit_rpm: 6, token_micros: 10, missing_micros: 50 };

  it('is updated once for all of them', () => {
    const [a, b] = [Buffer.from('a'), Buffer.from('b')];
    const requests = [
      { hash: a, tokens: 1 },
      { hash: b, tokens: 0 },
      { hash: Buffer.from(a), tokens: 1 },
    ] as const;
    expect(groupByBucket([...requests])).toEqual([
      { hash: a, tokens: 2, places: [0, 2] },
      { hash: b, tokens: 0, places: [1] },
    ]);
  });

  it('gives its tokens in order of arrival, and returns to each what was left after it', () => {
    const states = splitTokens({ ...bucket, granted: 2 }, [{ tokens: 1 }, { tokens: 1 }, { tokens: 1 }, { tokens: 0 }]);
    expect(states.map(({ allowed, missing_micros }) => [allowed, missing_micros])).toEqual([
      [true, 40],
      [true, 50],
      [false, 50],
      [true, 50],
    ]);
  });
});
