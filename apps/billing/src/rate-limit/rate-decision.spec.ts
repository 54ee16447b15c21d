import { toRateDecision } from './rate-decision';

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
