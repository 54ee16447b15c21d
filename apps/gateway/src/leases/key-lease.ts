import type { Admission, RateDecision, ReturnLeaseRequest, TokenLease } from '@kinora/contracts/billing/billing.rpc';

/**
 * Tokens of one key's bucket that this gateway spends by itself, by the same GCRA as billing: `usedMicros` is when the
 * bucket would be full again if no other gateway used it. A token moves it forward, up to the end of what is leased.
 * Time moves it too: the bucket refills although its tokens are leased, so an unspent token of the lease expires for each
 * token of refill. Otherwise a full bucket and the lease would together admit more than the limit.
 * Times are microseconds since the gateway sent its request. That is earlier than the statement that granted the lease,
 * so the lease never outlives what billing knows of it.
 */
export class KeyLease {
  private readonly leasedMicros: number;
  private readonly fullMicros: number;
  private usedMicros: number;

  /** @param requestedAtMs when the request was sent, on the monotonic clock of this process. */
  constructor(
    private readonly admission: Admission,
    private readonly lease: TokenLease,
    private readonly requestedAtMs: number,
  ) {
    this.leasedMicros = lease.tokens * lease.token_micros;
    this.fullMicros = lease.missing_micros;
    this.usedMicros = lease.missing_micros - this.leasedMicros;
  }

  get accountId(): string {
    return this.admission.account_id;
  }

  isOver(nowMs: number): boolean {
    return nowMs - this.requestedAtMs >= this.lease.duration_ms;
  }

  /** Spends a token. @returns null if the lease has none left. */
  take(nowMs: number): Admission | null {
    const nowMicros = this.toMicros(nowMs);
    const usedMicros = Math.max(this.usedMicros, nowMicros) + this.lease.token_micros;
    if (usedMicros > this.fullMicros) return null;
    this.usedMicros = usedMicros;
    return this.admitWith(nowMicros);
  }

  peek(nowMs: number): Admission {
    return this.admitWith(this.toMicros(nowMs));
  }

  toReturn(nowMs: number): ReturnLeaseRequest {
    const unused = this.fullMicros - Math.max(this.usedMicros, this.toMicros(nowMs));
    return {
      api_key_id: this.admission.api_key_id,
      leased_micros: this.leasedMicros,
      unused_micros: Math.min(Math.max(unused, 0), this.leasedMicros),
    };
  }

  private admitWith(nowMicros: number): Admission {
    const { limit } = this.admission.rate;
    const missing = Math.max(this.usedMicros - nowMicros, 0);
    const rate: RateDecision = {
      allowed: true,
      limit,
      remaining: limit - Math.ceil(missing / this.lease.token_micros),
    };
    return { ...this.admission, rate };
  }

  private toMicros(nowMs: number): number {
    return Math.floor((nowMs - this.requestedAtMs) * 1_000);
  }
}
