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
   */
  async complete(accountId: string): Promise<void> {
    this.signal(accountId);
    const openMs = await this.leases.openForMs(accountId);
    const endsAtMs = performance.now() + openMs;
    while (performance.now() < endsAtMs) {
      await delay(POLL_MS);
      if ((await this.leases.openForMs(accountId)) === 0) return;
    }
  }
}
