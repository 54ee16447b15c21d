import { Controller } from '@nestjs/common';
import { OnSignal } from '@kinora/bus';
import { type RecalledLeases, billingSignals } from '@kinora/contracts/billing/billing.events';
import { StreamKeys } from '../event-stream/stream-keys';
import { AdmissionLeases } from './admission-leases';

/** Subscribes to the signals of billing. */
@Controller()
export class LeasesController {
  constructor(
    private readonly leases: AdmissionLeases,
    private readonly streamKeys: StreamKeys,
  ) {}

  @OnSignal(billingSignals.leasesRecalled)
  recall({ account_id }: RecalledLeases): Promise<void> {
    this.leases.recall(account_id);
    // After the recall: a lease still admits the key that billing has revoked.
    this.streamKeys.recheck(account_id);
    return Promise.resolve();
  }
}
