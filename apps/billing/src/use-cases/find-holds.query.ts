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

/** Returns the states of holds by job, so that the jobs service can compare them with its jobs. */
@Injectable()
export class FindHolds {
  constructor(private readonly holds: HoldRepository) {}

  async execute({ job_ids }: { job_ids: string[] }): Promise<{ holds: KnownHold[] }> {
    return { holds: await this.holds.find(job_ids) };
  }
}

/** Lists holds that are open for long, so that the jobs service can end those whose job was never created. */
@Injectable()
export class ListOpenHolds {
  constructor(private readonly holds: HoldRepository) {}

  async execute(request: OpenHoldsRequest): Promise<{ holds: OpenHold[] }> {
    return { holds: await this.holds.listOpen(request) };
  }
}

/** Lists holds that are captured or open for long, so that the jobs service can check each for its job. */
@Injectable()
export class ListChargingHolds {
  constructor(private readonly holds: HoldRepository) {}

  async execute(request: ChargingHoldsRequest): Promise<{ holds: KnownHold[] }> {
    return { holds: await this.holds.listCharging(request) };
  }
}

/** Returns the entries of the ledger about a job, for its receipt. */
@Injectable()
export class FindJobEntries {
  constructor(private readonly ledger: LedgerRepository) {}

  async execute({ job_id }: { job_id: string }): Promise<{ entries: JobEntry[] }> {
    return { entries: await this.ledger.findOfJob(job_id) };
  }
}
