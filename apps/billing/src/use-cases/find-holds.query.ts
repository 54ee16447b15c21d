import { Injectable } from '@nestjs/common';
import type {
  ChargingHoldsRequest,
  JobEntry,
  KnownHold,
  OpenHold,
  OpenHoldsRequest,
} from '@kinora/contracts/billing/billing.rpc';
import { HoldRepository } from '../wallet/hold.repository';
import { LedgerRepository } from '../wallet/ledger.repository';

/** Finds holds and their entries for the jobs service, which compares them with its jobs. */
@Injectable()
export class FindHolds {
  constructor(
    private readonly holds: HoldRepository,
    private readonly ledger: LedgerRepository,
  ) {}

  async byJobs({ job_ids }: { job_ids: string[] }): Promise<{ holds: KnownHold[] }> {
    return { holds: await this.holds.find(job_ids) };
  }

  /** Those that are open for long: the jobs service ends the ones whose job was never created. */
  async open(request: OpenHoldsRequest): Promise<{ holds: OpenHold[] }> {
    return { holds: await this.holds.listOpen(request) };
  }

  /** Those that are captured or open for long: the jobs service checks each for its job. */
  async charging(request: ChargingHoldsRequest): Promise<{ holds: KnownHold[] }> {
    return { holds: await this.holds.listCharging(request) };
  }

  /** The entries of the ledger about a job, for its receipt. */
  async entriesOf({ job_id }: { job_id: string }): Promise<{ entries: JobEntry[] }> {
    return { entries: await this.ledger.findOfJob(job_id) };
  }
}
