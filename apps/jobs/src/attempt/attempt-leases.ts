import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AttemptRepository, LEASE_MS } from './attempt.repository';
import type { AttemptClaim } from './attempt.row';

/** How soon the process that works on an attempt learns that the attempt has ended. */
const POLL_INTERVAL_MS = 1_000;
const RENEW_AFTER_MS = LEASE_MS / 3;

/** The leases of the attempts that this process works on. One statement renews all of them. */
@Injectable()
export class AttemptLeases implements OnApplicationShutdown {
  private readonly held = new Set<AttemptLease>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly attempts: AttemptRepository) {}

  /** For a claim that has just been made. */
  hold(claim: AttemptClaim): AttemptLease {
    const lease = new AttemptLease(claim, {
      renew: (one) => this.renew([one]),
      release: (one) => this.held.delete(one),
    });
    this.held.add(lease);
    this.timer ??= setInterval(() => void this.checkLeases().catch(() => this.endExpired()), POLL_INTERVAL_MS).unref();
    return lease;
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async checkLeases(): Promise<void> {
    const leases = [...this.held];
    const old = leases.filter((lease) => lease.ageMs() >= RENEW_AFTER_MS);
    const young = leases.filter((lease) => !old.includes(lease));
    const stillHeld = await this.attempts.findHeld(young.map(({ claim }) => claim));
    for (const lease of young) if (!stillHeld.has(lease.claim.job_id)) lease.end();
    await this.renew(old);
  }

  private async renew(leases: AttemptLease[]): Promise<void> {
    const requestedAtMs = performance.now();
    const renewed = await this.attempts.renew(leases.map(({ claim }) => claim));
    for (const lease of leases)
      if (renewed.has(lease.claim.job_id)) lease.extend(requestedAtMs);
      else lease.end();
  }

  /** While the database does not answer, a lease is valid until another process may claim the attempt. */
  private endExpired(): void {
    for (const lease of this.held) if (lease.ageMs() >= LEASE_MS) lease.end();
  }
}

export class AttemptLease {
  private readonly ended = new AbortController();
  private renewedAtMs = performance.now();

  constructor(
    readonly claim: AttemptClaim,
    private readonly keeper: { renew: (lease: AttemptLease) => Promise<void>; release: (lease: AttemptLease) => void },
  ) {}

  /** Aborts when the attempt has ended (canceled or timed out) or when another process has claimed it. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /**
   * Whether this process still holds the attempt. Queries the database only if the last renewal is older than `RENEW_AFTER_MS`.
   */
  async isHeld(): Promise<boolean> {
    if (!this.signal.aborted && this.ageMs() >= RENEW_AFTER_MS) await this.keeper.renew(this);
    return !this.signal.aborted;
  }

  ageMs(): number {
    return performance.now() - this.renewedAtMs;
  }

  extend(renewedAtMs: number): void {
    this.renewedAtMs = renewedAtMs;
  }

  /** Also called by a holder that stops its own work. */
  end(): void {
    this.ended.abort();
  }

  release(): void {
    this.keeper.release(this);
  }
}
