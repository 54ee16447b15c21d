import { Controller } from '@nestjs/common';
import { OnSignal } from '@kinora/bus';
import { type RecalledLeases, billingSignals } from '@kinora/contracts/billing/billing.events';
import { AdmissionLeases } from './admission-leases';
import { KeyWatch } from './key-watch';

/** Subscribes to the signals of billing. */
@Controller()
export class LeasesController {
  constructor(
    private readonly leases: AdmissionLeases,
    private readonly keys: KeyWatch,
  ) {}

  @OnSignal(billingSignals.leasesRecalled)
  recall({ account_id }: RecalledLeases): Promise<void> {
    this.leases.recall(account_id);
    this.keys.recheck(account_id);
    return Promise.resolve();
  }
}
