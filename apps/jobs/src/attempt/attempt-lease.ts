import { type AttemptRepository, LEASE_MS } from './attempt.repository';
import type { AttemptClaim } from './attempt.row';

/** Keeps a claimed attempt claimed for as long as its holder works on it. */
export class AttemptLease {
  private readonly heartbeat: NodeJS.Timeout;
  private renewedAtMs = performance.now();

  constructor(
    private readonly attempts: AttemptRepository,
    private readonly claim: AttemptClaim,
  ) {
    this.heartbeat = setInterval(() => void this.renew().catch(() => false), LEASE_MS / 3);
  }

  /** Whether the attempt is surely still ours; asks only where the last renewal was some time ago. */
  async isHeld(): Promise<boolean> {
    return performance.now() - this.renewedAtMs < LEASE_MS / 3 || (await this.renew());
  }

  release(): void {
    clearInterval(this.heartbeat);
  }

  private async renew(): Promise<boolean> {
    const askedAtMs = performance.now();
    const isHeld = await this.attempts.renew(this.claim);
    if (isHeld) this.renewedAtMs = askedAtMs;
    return isHeld;
  }
}
