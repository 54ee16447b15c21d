import { Controller } from '@nestjs/common';
import { billingSignals, type RecalledLeases } from '@kinora/contracts/billing/billing.events';
import { type ChangedJobs, jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import { OnSignal } from '@kinora/bus';
import { AccountWatch } from './event-feed/feed-streams';
import { JobWatch } from './job-watch/job-watch';
import { AdmissionLeases } from './leases/admission-leases';
import { KeyWatch } from './leases/key-watch';

@Controller()
export class SignalsController {
  constructor(
    private readonly jobs: JobWatch,
    private readonly accounts: AccountWatch,
    private readonly leases: AdmissionLeases,
    private readonly keys: KeyWatch,
  ) {}

  @OnSignal(jobsSignals.changed)
  report(changed: ChangedJobs): Promise<void> {
    this.jobs.report(changed);
    this.accounts.report(changed);
    return Promise.resolve();
  }

  @OnSignal(billingSignals.leasesRecalled)
  recall({ account_id }: RecalledLeases): Promise<void> {
    this.leases.recall(account_id);
    this.keys.recheck(account_id);
    return Promise.resolve();
  }
}
