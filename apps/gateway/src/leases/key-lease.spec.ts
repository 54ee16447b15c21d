import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { RecentRequests } from './admission-leases';
import { KeyLease } from './key-lease';

const SENT_MS = 5_000;
const SECOND_MICROS = 1_000_000;

describe('a lease of tokens', () => {
  const admission: Admission = {
    account_id: 'acct_1',
    api_key_id: 'key_1',
    account_status: 'active',
    scope: 'jobs',
    rate: { allowed: true, limit: 60, remaining: 59 },
  };
  /** Of a bucket of 60 tokens, one a second; 10 were used when the lease of 4 was granted. */
  const open = (): KeyLease =>
    new KeyLease(
      admission,
      { tokens: 4, token_micros: SECOND_MICROS, missing_micros: 14 * SECOND_MICROS, duration_ms: 900 },
      SENT_MS,
    );
  const at = (ms: number): number => SENT_MS + ms;
  const spend = (lease: KeyLease, ms: number) => lease.take(at(ms))?.rate.remaining ?? null;

  it('spends exactly its tokens, and describes the bucket as billing would', () => {
    const lease = open();
    expect([0, 1, 2, 3, 4].map((ms) => spend(lease, ms))).toEqual([49, 48, 47, 46, null]);
    expect(lease.take(at(0))).toBeNull();
  });

  it('keeps what billing said of the key', () => {
    expect(open().take(at(0))).toEqual({ ...admission, rate: { allowed: true, limit: 60, remaining: 49 } });
  });

  it('describes the bucket without spending', () => {
    const lease = open();
    expect([0, 0, 999, 1_000].map((ms) => lease.peek(at(ms)).rate.remaining)).toEqual([50, 50, 50, 51]);
    expect(spend(lease, 0)).toBe(49);
  });

  it('ends after its duration', () => {
    expect([0, 899, 900, 5_000].map((ms) => open().isOver(at(ms)))).toEqual([false, false, true, true]);
  });

  it('returns what it has not spent', () => {
    const lease = open();
    spend(lease, 0);
    expect(lease.toReturn(at(5))).toEqual({
      api_key_id: 'key_1',
      leased_micros: 4 * SECOND_MICROS,
      unused_micros: 3 * SECOND_MICROS,
    });
    for (const ms of [6, 7, 8, 9]) spend(lease, ms);
    expect(lease.toReturn(at(10)).unused_micros).toBe(0);
  });

  describe('of a full bucket', () => {
    const openFull = (): KeyLease =>
      new KeyLease(admission, { tokens: 4, token_micros: 100_000, missing_micros: 400_000, duration_ms: 900 }, SENT_MS);

    it('loses a token for each that refills: bucket and lease together never exceed the limit', () => {
      const lease = openFull();
      expect(spend(lease, 250)).toBe(59);
      expect(spend(lease, 250)).toBeNull();
      expect(spend(openFull(), 301)).toBeNull();
    });

    it('stays full for a client that uses less than refills', () => {
      const lease = openFull();
      expect([0, 110, 220].map((ms) => spend(lease, ms))).toEqual([59, 59, 59]);
    });

    it('returns only what has not expired', () => {
      expect(openFull().toReturn(at(150)).unused_micros).toBe(250_000);
      expect(openFull().toReturn(at(2_000)).unused_micros).toBe(0);
    });
  });
});

describe('recent requests', () => {
  const counted = (...atMs: number[]): RecentRequests => {
    const recent = new RecentRequests();
    for (const nowMs of atMs) recent.count('key', nowMs);
    return recent;
  };

  it('are expected again at the same rate', () => {
    const recent = counted(0, 100, 200, 300);
    expect(recent.expected('key', 300)).toBe(4);
    expect(recent.expected('key', 1_000)).toBe(4);
    expect(recent.expected('key', 1_500)).toBe(2);
  });

  it('are forgotten after a pause', () => {
    expect(counted(0, 100).expected('key', 2_000)).toBe(0);
    expect(counted(0, 100).expected('key', 1_999)).toBe(1);
  });

  it('are counted for each key', () => {
    expect(counted(0, 1).expected('other', 1)).toBe(0);
  });
});
