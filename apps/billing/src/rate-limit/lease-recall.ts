import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { billingSignals } from '@kinora/contracts/billing/billing.events';
import { LeaseRepository } from './lease.repository';

const POLL_MS = 10;

/** Makes the gateways return their leases of an account before the leases end. */
@Injectable()
export class LeaseRecall {
  constructor(
    private readonly bus: Bus,
    private readonly leases: LeaseRepository,
  ) {}

  /** Signals the gateways, and does not wait for them. */
  signal(accountId: string): void {
    this.bus.signal(billingSignals.leasesRecalled, { account_id: accountId });
  }

  /**
   * Resolves when no gateway can admit a request by what it knew before this call. That is within milliseconds, or at the
   * end of the leases if the signal is lost or if new leases are granted meanwhile. A lease whose statement has not yet
   * committed is ended by the signal alone: the gateway does not begin it.
   * @param revokedKeyId the key that this call has revoked; leases of keys that were revoked earlier have ended
   */
  async complete(accountId: string, revokedKeyId: string | null = null): Promise<void> {
    this.signal(accountId);
    const { keyIds, openMs } = await this.leases.findOpen(accountId, revokedKeyId);
    const endsAtMs = performance.now() + openMs;
    while (performance.now() < endsAtMs) {
      await delay(POLL_MS);
      if (!(await this.leases.areOpen(keyIds))) return;
    }
  }
}
