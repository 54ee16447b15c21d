import { GatewayConfig } from '../gateway.config';
import { AddressBuckets } from './address-buckets';

const MINUTE_MS = 60_000;

function bucketsOf(addressRateLimitRpm: number): AddressBuckets {
  return new AddressBuckets(Object.assign(new GatewayConfig(), { addressRateLimitRpm }));
}

describe("an address's bucket", () => {
  it('holds one minute of requests, refills steadily, and returns when the next token is available', () => {
    const buckets = bucketsOf(6);
    const remaining = Array.from({ length: 6 }, () => buckets.take('a', 0).remaining);
    expect(remaining).toEqual([5, 4, 3, 2, 1, 0]);
    expect(buckets.take('a', 0)).toEqual({ allowed: false, limit: 6, remaining: 0, retry_after_seconds: 10 });
    expect(buckets.take('a', 9_100)).toMatchObject({ allowed: false, retry_after_seconds: 1 });
    expect(buckets.take('a', 10_000)).toMatchObject({ allowed: true, remaining: 0 });
    expect(buckets.peek('a', 10_000 + MINUTE_MS)).toMatchObject({ allowed: true, remaining: 6 });
  });

  it('grants every request of the minute despite rounding errors', () => {
    const buckets = bucketsOf(600);
    for (const nowMs of [22_112.633130777092, 45_924.07896799902, 99_202.40679731312]) {
      const taken = Array.from({ length: 600 }, () => buckets.take(`at ${nowMs}`, nowMs));
      expect(taken.map(({ remaining }) => remaining)).toEqual(taken.map((_, index) => 599 - index));
      expect(taken.every(({ allowed }) => allowed)).toBe(true);
    }
  });

  it('loses no token by a peek or a refused request', () => {
    const buckets = bucketsOf(1);
    buckets.peek('a', 0);
    expect(buckets.take('a', 0).allowed).toBe(true);
    for (let refused = 0; refused < 100; refused++) buckets.take('a', 1);
    expect(buckets.take('a', MINUTE_MS).allowed).toBe(true);
  });

  it('belongs to one address only', () => {
    const buckets = bucketsOf(1);
    expect([buckets.take('a', 0).allowed, buckets.take('b', 0).allowed, buckets.take('a', 0).allowed]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is shared by all addresses of one IPv6 /64', () => {
    const buckets = bucketsOf(1);
    expect(
      ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map((address) => buckets.take(address, 0).allowed),
    ).toEqual([true, false, true]);
  });

  it('gets an unneeded token back, and never exceeds its capacity', () => {
    const buckets = bucketsOf(2);
    buckets.take('a', 0);
    buckets.giveBack('a', 0);
    buckets.giveBack('a', 0);
    expect(buckets.peek('a', 0).remaining).toBe(2);
    expect([1, 2, 3].map(() => buckets.take('a', 0).allowed)).toEqual([true, true, false]);
  });

  it('is evicted only after many other addresses were used', () => {
    const buckets = bucketsOf(1);
    for (const address of ['old', 'recent']) buckets.take(address, 0);
    for (let other = 0; other < 49_999; other++) buckets.take(`${other}`, 0);
    expect(buckets.peek('old', 0).remaining).toBe(1);
    expect(buckets.peek('recent', 0).remaining).toBe(0);
  });
});
