import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Admission, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { Bus } from '@kinora/bus';
import { KeyLease } from './key-lease';

/** As long as a lease, so that the count is what the next lease needs. */
const WINDOW_MS = 1_000;
/** About 2 MB. */
const KEYS_MAX = 10_000;

interface Windows {
  beganAtMs: number;
  current: number;
  previous: number;
}

/** Counts the requests of each key in the last second (sliding window counter), for the most recently new ten thousand keys. */
export class RecentRequests {
  private readonly byKey = new Map<string, Windows>();

  count(key: string, nowMs: number): void {
    this.windowsOf(key, nowMs).current += 1;
  }

  /** About how many requests of the key the last second had. */
  expected(key: string, nowMs: number): number {
    const { beganAtMs, current, previous } = this.windowsOf(key, nowMs);
    return Math.ceil(current + previous * (1 - (nowMs - beganAtMs) / WINDOW_MS));
  }

  private windowsOf(key: string, nowMs: number): Windows {
    const windows = this.byKey.get(key);
    if (!windows) return this.begin(key, nowMs);
    const ageMs = nowMs - windows.beganAtMs;
    if (ageMs < WINDOW_MS) return windows;
    windows.previous = ageMs < 2 * WINDOW_MS ? windows.current : 0;
    windows.current = 0;
    windows.beganAtMs = ageMs < 2 * WINDOW_MS ? windows.beganAtMs + WINDOW_MS : nowMs;
    return windows;
  }

  private begin(key: string, nowMs: number): Windows {
    const windows = { beganAtMs: nowMs, current: 0, previous: 0 };
    this.byKey.set(key, windows);
    const [oldest] = this.byKey.keys();
    if (this.byKey.size > KEYS_MAX && oldest !== undefined) this.byKey.delete(oldest);
    return windows;
  }
}

/** A lease and its return are two requests, so a lease pays off only if it saves more than one. */
const LEASE_TOKENS_MIN = 2;

interface OpenLease {
  lease: KeyLease;
  endTimer: NodeJS.Timeout;
}

/**
 * Admits keys: from a lease of their tokens where this gateway holds one, otherwise by a request to billing. A key with
 * several requests a second gets a lease with the answer. A lease is returned when it is used up, over or recalled.
 */
@Injectable()
export class AdmissionLeases implements OnApplicationShutdown {
  private readonly recent = new RecentRequests();
  /** By the hash of the key. */
  private readonly open = new Map<string, OpenLease>();
  private readonly returning = new Map<string, Promise<void>>();
  /** Keys for which a lease is requested: one gateway holds at most one lease of a key. */
  private readonly requested = new Set<string>();
  /** A lease that was requested before the last recall may hold what has changed since. */
  private recalls = 0;

  constructor(private readonly bus: Bus) {}

  /** @throws ApiError invalid_api_key, capacity */
  async admit(keySha256: string, tokens: 0 | 1): Promise<Admission> {
    const leased = this.admitByLease(keySha256, tokens);
    const admission = leased ?? (await this.admitByBilling(keySha256, tokens));
    if (tokens === 1) this.recent.count(keySha256, performance.now());
    return admission;
  }

  /** Returns the leases of an account whose status, limits or keys have changed, or whose tokens another gateway needs. */
  recall(accountId: string): void {
    this.recalls += 1;
    for (const [keySha256, { lease }] of this.open) if (lease.accountId === accountId) void this.giveBack(keySha256);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.open.keys()].map((keySha256) => this.giveBack(keySha256)));
  }

  private admitByLease(keySha256: string, tokens: 0 | 1): Admission | null {
    const lease = this.open.get(keySha256)?.lease;
    const nowMs = performance.now();
    if (!lease || lease.isOver(nowMs)) return null;
    return tokens === 0 ? lease.peek(nowMs) : lease.take(nowMs);
  }

  private async admitByBilling(keySha256: string, tokens: 0 | 1): Promise<Admission> {
    // Billing must know what is unused before it judges and describes the bucket.
    await this.giveBack(keySha256);
    const request = { key_sha256: keySha256, tokens };
    const requestedAtMs = performance.now();
    const leaseTokens = this.recent.expected(keySha256, requestedAtMs);
    if (tokens === 0 || leaseTokens < LEASE_TOKENS_MIN || this.requested.has(keySha256)) {
      return this.bus.request(billingRpc.admit, request);
    }
    const { recalls } = this;
    this.requested.add(keySha256);
    try {
      const { lease, ...admission } = await this.bus.request(billingRpc.admit, {
        ...request,
        lease_tokens: leaseTokens,
      });
      if (lease) this.keep(keySha256, new KeyLease(admission, lease, requestedAtMs), requestedAtMs + lease.duration_ms);
      if (recalls !== this.recalls) void this.giveBack(keySha256);
      return admission;
    } finally {
      this.requested.delete(keySha256);
    }
  }

  private keep(keySha256: string, lease: KeyLease, endsAtMs: number): void {
    const endTimer = setTimeout(() => void this.giveBack(keySha256), endsAtMs - performance.now()).unref();
    this.open.set(keySha256, { lease, endTimer });
  }

  /** Returns the lease of the key if there is one, and waits for a return under way. */
  private giveBack(keySha256: string): Promise<void> {
    const open = this.open.get(keySha256);
    if (!open) return this.returning.get(keySha256) ?? Promise.resolve();
    this.open.delete(keySha256);
    clearTimeout(open.endTimer);
    const returned = this.bus
      .request(billingRpc.returnLease, open.lease.toReturn(performance.now()))
      // Unreturned tokens count as used until they refill. A second return could give them back twice.
      .catch(() => undefined)
      .then(() => void this.returning.delete(keySha256));
    this.returning.set(keySha256, returned);
    return returned;
  }
}
